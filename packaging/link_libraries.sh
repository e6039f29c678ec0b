#!/bin/sh
# Of the tarball: makes lib64/, the libraries to link with (cmake/toolkit.cmake), where it was unpacked. `nvcc` starts it.
# Each has the names of one of our libraries, no code, and that one's path as its own name, so that a program which is
# linked with it finds our library without a search path.
set -e
libraries=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
clang=$libraries/bundle/bin/clang
cd "$libraries/lib64"
if [ "$(cat made-for 2>/dev/null)" = "$libraries" ]; then exit 0; fi
if [ ! -w . ]; then
  echo "nvcc: $PWD cannot be written: libraries to link with are missing there. Start nvcc once as a user who may." >&2
  exit 0
fi
for names in *.s; do
  read -r _ runtime <"$names"
  "$clang" -shared -nostdlib -Xlinker -soname -Xlinker "$libraries/$runtime" -o "new.$$" "$names"
  mv -f "new.$$" "${names%.s}.so"  # another nvcc may be linking
done
printf '%s\n' "$libraries" >made-for
