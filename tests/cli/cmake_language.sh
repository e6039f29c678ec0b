#!/bin/sh
# cmake_language.sh CMAKE NVCC PROJECT GENERATOR: configures, builds and tests the project with NVCC as CMake's CUDA compiler, in a
# folder of its own; then changes a header and expects the objects that read it to be made anew.
set -eu
cmake=$1 nvcc=$2 project=$3 generator=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$project" "$folder/project"
# The machine's own toolkit must play no part, except for separable compilation, which NVIDIA's nvcc does.
unset CUDACXX CUDAHOSTCXX CUDAFLAGS LD_LIBRARY_PATH 2> /dev/null || true
separable=OFF
if command -v nvcc > /dev/null || test -x /usr/local/cuda/bin/nvcc; then separable=ON; fi
"$cmake" -S "$folder/project" -B "$folder/build" -G "$generator" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CUDA_COMPILER="$nvcc" \
  -DSEPARABLE=$separable > "$folder/configure.log" 2>&1 || { cat "$folder/configure.log"; exit 1; }
"$cmake" --build "$folder/build" > "$folder/build.log" 2>&1 || { cat "$folder/build.log"; exit 1; }
(cd "$folder/build" && ctest --output-on-failure) || exit 1
case $("$folder/build/by_cxx") in "factor 3") ;; *) echo "by_cxx prints something else"; exit 1 ;; esac

sleep 1
sed -i 's/FACTOR 3/FACTOR 5/' "$folder/project/include/scale.h"
"$cmake" --build "$folder/build" > "$folder/again.log" 2>&1 || { cat "$folder/again.log"; exit 1; }
for program in by_cxx by_cuda static_runtime; do
  case $("$folder/build/$program") in "factor 5") ;; *) echo "$program was not made anew"; exit 1 ;; esac
done
