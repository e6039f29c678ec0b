#!/usr/bin/env bash
# Makes the relocatable tarball: what `make install` installs, and all that it needs from a system (packaging/bundle.txt).
#
#     scripts/tarball.sh BUILD FOLDER      # BUILD/bin/… -> FOLDER/warpwise-VERSION-linux-x86_64/
#     scripts/tarball.sh BUILD             # … -> BUILD/warpwise-VERSION-linux-x86_64.tar.gz
#
# It runs on Debian, whose packages it takes the files from, and asks no network. In the tarball:
#
#     bin/warpwise, bin/warpwise-ptxas
#     lib/warpwise/                 our libraries
#     lib/warpwise/bundle/bin       clang++, ld.lld, addr2line, objdump
#     lib/warpwise/bundle/lib       the libraries that these and ours load
#     lib/warpwise/bundle/sysroot   headers and libraries that programs are compiled and linked with
#     share/, include/              as `make install` has them; examples -> share/warpwise/examples
#
# What is not in it: glibc, libstdc++ and libgcc_s. A process has one C library, and programs that nvcc or the machine's own
# compilers have built load ours beside the machine's. The oldest versions that work are LIMITS of packaging/lower_glibc.py.
set -euo pipefail
umask 022
build=$(realpath "${1:?usage: scripts/tarball.sh BUILD [FOLDER]}")
folder=$(realpath --canonicalize-missing "${2:-$build/package}")
cd "$(dirname "$0")/.."
packaging=$PWD/packaging

fail() { echo "tarball.sh: $*" >&2; exit 1; }
for tool in dpkg-query patchelf python3; do
  command -v $tool >/dev/null || fail "$tool is missing; \`make tarball\` installs what Debian has"
done

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=warpwise-$version-linux-x86_64
stage=$folder/$name
rm -rf "$stage"
mkdir -p "$folder"
notes=$(mktemp -d)  # what one step leaves for the next
trap 'rm -rf "$notes"' EXIT

install_warpwise() {
  # DESTDIR: nothing is done ahead for this machine. A component's name: install_manifest.txt stays that of `make install`.
  DESTDIR=$folder cmake --install "$build" --strip --prefix "/$name" --component Unspecified >"$notes/install.log" \
    || { cat "$notes/install.log" >&2; exit 1; }
  libraries=$stage/lib/warpwise
  [[ -e $libraries/libwarpwise.so ]] || fail "the build was configured for another folder of libraries than lib/"
  bundle=$libraries/bundle
  ln -s share/warpwise/examples "$stage/examples"
}

# copy_package PACKAGE PREFIX INTO PATTERN...: the files of a package that fit, as packaging/bundle.txt says.
copy_package() {
  local package=$1 prefix=${2#-} into=$bundle/$3 path pattern
  shift 3
  local -A hits=()
  while read -r path; do
    [[ -f $path ]] || continue
    path=${path#/}
    for pattern in "$@"; do
      # shellcheck disable=SC2053  # a pattern it is
      if [[ $path == $pattern ]]; then
        printf '%s\t%s\n' "/$path" "$into/${path#"$prefix"}"
        hits[$pattern]=1
        break
      fi
    done
  done < <(dpkg-query --listfiles "$package") >"$notes/files"
  for pattern in "$@"; do [[ -n ${hits[$pattern]:-} ]] || fail "$package has no file $pattern"; done
  copy_files <"$notes/files"
  packages+=("$package")
}

# Lines "from TAB to". Links within a package stay links.
copy_files() {
  python3 -c '
import os, shutil, sys
for line in sys.stdin:
    source, target = line.rstrip("\n").split("\t")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    link = os.path.islink(source) and not os.path.isabs(os.readlink(source))
    shutil.copy2(source, target, follow_symlinks=not link)'
}

bundle_packages() {
  local package prefix into patterns
  while read -r package prefix into patterns; do
    [[ $package && $package != \#* ]] || continue
    set -f  # patterns are for copy_package, not for the shell
    # shellcheck disable=SC2086
    copy_package "$package" "$prefix" "$into" $patterns
    set +f
  done <"$packaging/bundle.txt"
  ln -s clang "$bundle/bin/clang++"
  ln -s lld "$bundle/bin/ld.lld"
  cp "$packaging/clang++.cfg" "$bundle/bin/"
}

# What of a library is the system's and stays so.
of_the_system() {
  case $1 in
    libc.so.6 | libm.so.6 | libdl.so.2 | librt.so.1 | libpthread.so.0 | libgcc_s.so.1 | libstdc++.so.6 | ld-linux-x86-64.so.2) ;;
    *) return 1 ;;
  esac
}

# What loads libraries. The supervisor of the sandbox loads none: it is linked statically, and patchelf would break it.
programs() {
  find "$stage/bin" "$libraries" "$bundle/bin" -maxdepth 1 -type f | while read -r file; do
    [[ $(head -c 4 "$file" | tr -d '\0') != $'\x7fELF' || ! $(patchelf --print-needed "$file") ]] || echo "$file"
  done
}

# The libraries that our programs and libraries load, and those load in turn; with the packages that they are from.
bundle_libraries() {
  local soname path file
  mkdir -p "$bundle/lib"
  programs >"$notes/programs"
  mapfile -t files <"$notes/programs"
  ldd "${files[@]}" >"$notes/ldd" || fail "ldd does not work here"
  ! grep 'not found' "$notes/ldd" || fail "a library is not installed here"
  sed -nE 's/^\s*(\S+) => (.*) \(0x.*/\1 \2/p' "$notes/ldd" | sort -u >"$notes/loads"
  while read -r soname path; do
    ! of_the_system "$soname" || continue
    [[ $(realpath "$path") != "$libraries"/* ]] || continue
    cp --dereference "$path" "$bundle/lib/$soname"
    chmod 644 "$bundle/lib/$soname"
    # A file may be known below /lib or below /usr/lib, which are one.
    file=$(realpath "$path")
    packages+=("$({ dpkg-query --search "$file" || dpkg-query --search "${file#/usr}"; } 2>/dev/null | sed 's/:.*//' | head -1)")
    [[ ${packages[-1]} ]] || fail "no package has $path"
  done <"$notes/loads"
}

# From here on, files find each other wherever the tarball is unpacked, and are content with an old C library.
relocate() {
  local shim=$bundle/lib/libwarpwise-newer-glibc.so file
  ${CC:-cc} -O2 -shared -fPIC -Wl,-soname,"$(basename "$shim")" -o "$shim" "$packaging/newer_glibc.c"
  mapfile -t files < <(cat "$notes/programs"; ls "$bundle"/lib/*.so*)
  python3 "$packaging/lower_glibc.py" "$shim" "${files[@]}" >"$notes/lowered"
  while read -r file; do patchelf --add-needed "$(basename "$shim")" "$file"; done <"$notes/lowered"
  # shellcheck disable=SC2016  # the loader's word
  for file in "${files[@]}"; do
    case $file in
      "$stage"/bin/*) patchelf --set-rpath '$ORIGIN/../lib/warpwise:$ORIGIN/../lib/warpwise/bundle/lib' "$file" ;;
      "$bundle"/bin/*) patchelf --set-rpath '$ORIGIN/../lib' "$file" ;;
      "$bundle"/lib/*) patchelf --set-rpath '$ORIGIN' "$file" ;;
      *) patchelf --set-rpath '$ORIGIN:$ORIGIN/bundle/lib' "$file" ;;
    esac
  done
  make_link_libraries
}

# The libraries that CMake links programs with have our runtime's path in them. It is known when the tarball is unpacked:
# `nvcc` makes them then, from this.
make_link_libraries() {
  local library file
  for library in "$libraries"/lib64/*.so; do
    file=${library%.so}.s
    {
      echo "# $(basename "$(realpath "$libraries/$(basename "$library")")")"
      nm --dynamic --defined-only --format=posix "$library" \
        | awk '{printf "  .globl %s\n  .type %s, @function\n%s:\n", $1, $1, $1}'
      echo '  .section .note.GNU-stack,"",@progbits'
    } >"$file"
    [[ $(wc -l <"$file") -gt 2 ]] || fail "$library has no functions"
    rm "$library"
  done
  cp "$packaging/link_libraries.sh" "$bundle/"
}

# The licences of what is bundled, and the versions, by which Debian has the sources.
write_licences() {
  local texts=$stage/share/doc/warpwise/bundled package licence
  mkdir -p "$texts/common-licenses"
  mapfile -t packages < <(printf '%s\n' "${packages[@]}" | sort -u)
  {
    echo "# What lib/warpwise/bundle is made of: binary package, its version, source package, its version (Debian)"
    dpkg-query --show --showformat='${Package} ${Version} ${source:Package} ${source:Version}\n' "${packages[@]}"
  } >"$texts/packages.txt"
  for package in "${packages[@]}"; do cp "/usr/share/doc/$package/copyright" "$texts/$package.copyright"; done
  grep -hoE '/usr/share/common-licenses/[A-Za-z0-9.-]+[A-Za-z0-9]' "$texts"/*.copyright | sort -u | while read -r licence; do
    [[ ! -e $licence ]] || cp --dereference "$licence" "$texts/common-licenses/"
  done
}

packages=()
install_warpwise
bundle_packages
bundle_libraries
relocate
write_licences
[[ $# -lt 2 ]] || exit 0

# gzip: the one format that tar can unpack on every machine, with nothing installed. The same input makes the same file.
archive=$build/$name.tar.gz
stamp=$(git log -1 --format=%ct 2>/dev/null || date +%s)
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$stamp" --directory="$folder" "$name" | gzip -9n >"$archive"
rm -rf "$stage"
echo "$archive: $(( $(stat -c %s "$archive") >> 20 )) MiB"
