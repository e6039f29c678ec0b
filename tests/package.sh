#!/usr/bin/env bash
# package.sh BUILD: the tarball's tree, used as on a machine that has nothing: no compiler on PATH, no environment, in a
# folder with a space in its name that cannot be written. Run by ctest as `package`.
#
# The build machine does have compilers, headers and libraries, so what is used of them must be looked for: each file that
# the compiler and the linker read, and each library that the loader finds, is one of the tree.
set -euo pipefail
umask 022
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(realpath "$1")

for tool in patchelf dpkg-query python3; do
  command -v $tool >/dev/null || { echo "SKIPPED: the tarball is made on Debian, with $tool"; exit 77; }
done

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
mkdir "$work/made here" "$work/unpacked here" "$work/user"
fail() { echo "FAILED: $*"; exit 1; }

"$source/scripts/tarball.sh" "$build" "$work/made here"
mv "$work/made here"/warpwise-*-linux-x86_64 "$work/unpacked here/warpwise"  # it must not know where it was made
tree="$work/unpacked here/warpwise"
chmod -R a-w "$tree"

# As a user without rights and without a home, where the test is root.
as_user=()
if [ "$(id -u)" = 0 ]; then
  chown -R 65534:65534 "$work/user"
  chmod 755 "$work"
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
cd "$work/user"
alone() { "${as_user[@]}" env -i PATH=/nonexistent WARPWISE_CACHE_DIR="$work/user/cache" TMPDIR="$work/user" "$@"; }
warpwise() { alone "$tree/bin/warpwise" "$@"; }

# --- the first program
said=$(warpwise run "$tree/examples/vecadd.cu" 2>&1) || fail "run: $said"
[[ $said == *"PASS vecadd"* ]] || fail "run: $said"

code=0
said=$(warpwise run examples/vecadd.cu 2>&1) || code=$?
[[ $code = 125 && $said == *"the installed one is $tree/share/warpwise/examples/vecadd.cu"* ]] \
  || fail "run examples/vecadd.cu, exit code $code: $said"

# --- build systems find libraries to link with, which name our runtime where it lies
chmod u+w "$tree/lib/warpwise/lib64"
"$tree/lib/warpwise/bin/nvcc" --version >said 2>&1 || fail "nvcc --version: $(<said)"
readelf --dynamic "$tree/lib/warpwise/lib64/libcudart.so" | grep -F "soname: [$tree/lib/warpwise/libwarpwise-cudart.so." >/dev/null \
  || fail "lib64/libcudart.so: $(readelf --dynamic "$tree/lib/warpwise/lib64/libcudart.so")"
nm --dynamic "$tree/lib/warpwise/lib64/libcudart.so" | grep ' cudaMalloc$' >/dev/null || fail "lib64/libcudart.so has no cudaMalloc"
chmod -R a-w "$tree"

# --- what is read of the machine: nothing but the loader's cache and the C and C++ libraries that every system has
warpwise nvcc -c -MD -MF vecadd.d -o vecadd.o "$tree/examples/vecadd.cu" >said 2>&1 || fail "nvcc -c: $(<said)"
warpwise nvcc -o vecadd vecadd.o -Xlinker --trace >linked 2>&1 || fail "nvcc: $(<linked)"
[[ -s vecadd.d && -s linked ]] || fail "no list of the files that were read"
while read -r file; do
  case $(realpath -m "$file") in
    "$tree"/* | "$work"/user/*) ;;
    *) fail "the linker read $file" ;;
  esac
done <linked
sed -e 's/\\ /\x01/g' -e 's/^[^:]*://' -e 's/\\$//' vecadd.d | tr ' ' '\n' | tr '\001' ' ' | sed '/^$/d' >files-read
grep -q stdio.h files-read || fail "vecadd.d does not list the headers: $(<vecadd.d)"
while read -r file; do
  [[ $(realpath -m "$file") == "$tree"/* ]] || fail "the compiler read $file"
done <files-read

find "$tree/bin" "$tree/lib/warpwise" -name sysroot -prune -o -type f \( -perm -u+x -o -name '*.so*' \) -print \
  | while read -r file; do [[ $(head -c 4 "$file" | tr -d '\0') != $'\x7fELF' ]] || echo "$file"; done >binaries
[ "$(wc -l <binaries)" -gt 20 ] || fail "only $(wc -l <binaries) programs and libraries were found"
while read -r file; do
  env -i ldd "$file" >loads 2>/dev/null || continue  # without dynamic libraries
  ! grep 'not found' loads || fail "$file lacks a library"
  while read -r path; do
    case $(realpath "$path") in
      "$tree"/*) ;;
      */libc.so.6 | */libm.so.6 | */libgcc_s.so.1 | */libstdc++.so.6*) ;;
      *) fail "$file loads $path, which the tarball does not bring" ;;
    esac
  done < <(sed -nE 's/^.* => (.*) \(0x.*/\1/p' loads)
done <binaries

# --- a finding has the line of the host, too, which addr2line knows
cat >leak.cu <<'CUDA'
#include <functional>
int main() {
  int* memory;
  std::function<void()> allocate = [&] { cudaMalloc(&memory, 64); };  // line 4
  allocate();
  return 0;
}
CUDA
code=0
said=$(warpwise check --fail-on=warning leak.cu 2>&1) || code=$?
[[ $code = 1 && $said == *leak.cu:4* ]] || fail "check, exit code $code: $said"
[[ $said != *sysroot* ]] || fail "check names lines of the C++ library: $said"

# --- the sandbox has as many walls as that of the build folder: inside of them, its program finds its libraries
walls() { { env -i PATH=/nonexistent TMPDIR="$work/user" "$1" doctor || true; } | grep ' sandbox '; }
here=$(walls "$build/bin/warpwise")
there=$(walls "$tree/bin/warpwise")
[[ $here == "$there" ]] || fail "the build folder's $here; the tarball's $there"

# --- the GitHub action: an annotation at the line, reports, and the exit code
cp "$tree/examples/counter.cu" "$tree/examples/common.h" .
code=0
said=$(alone PATH="$tree/bin:/usr/bin:/bin" PATHS=counter.cu FLAGS=--only=race ARGUMENTS= REPORTS=reports \
  "$source/packaging/action.sh" check 2>&1) || code=$?
[[ $code = 1 && $said == *"::error file=counter.cu,line=10"* && -s reports/check.sarif && -s reports/check.xml ]] \
  || fail "action, exit code $code: $said"

# --- the lab compiles what problems bring, and judges
problem="$tree/share/warpwise/problems/puzzles/map"
cp "$problem"/solutions/*.cu map.cu
said=$(warpwise lab test --no-record map.cu 2>&1) || fail "lab: $said"
cp "$problem"/starter.cu map.cu
code=0
said=$(warpwise lab test --no-record map.cu 2>&1) || code=$?
[ $code = 1 ] || fail "lab, exit code $code for a kernel that does nothing: $said"

# --- the page, where it was built
[[ ! -e $build/share/warpwise/page/app.js.gz || -s $tree/share/warpwise/page/app.js.gz ]] || fail "the page is not in the tarball"

# --- the Python package, which the wheel has around the same tree (scripts/wheel.py)
python=$(command -v /usr/bin/python3 python3 | head -1)
cp -r "$source/python/warpwise" .
said=$(alone WARPWISE_LIBRARIES="$tree/lib/warpwise" PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. "$python" -c '
import array
import warpwise as ww
k = ww.load(source="__global__ void twice(int* x) { x[threadIdx.x] *= 2; }")
x = array.array("i", range(8))
k.twice[1, 8](x)
print(sum(x), ww.check(k.twice[1, 8], x).verdict)' 2>&1) || fail "python: $said"
[[ $said == "56 clean" ]] || fail "python: $said"
echo "PASSED: run, nvcc, check, lab and Python from a tree that is alone"
