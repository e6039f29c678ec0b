#!/usr/bin/env bash
# What `make demo` shows: CUDA programs on the virtual GPU, each judged against the CPU.
set -euo pipefail
warpwise=$(realpath "${1:?usage: scripts/demo.sh PATH/TO/warpwise}")
cd "$(dirname "$0")/.."
mkdir -p build

show() {
  printf '\n$ warpwise run %s\n' "$*"
  "$warpwise" run "$@"
}

"$warpwise" version
show examples/hello.cu
show examples/vecadd.cu
show examples/matmul.cu
show examples/reduction.cu
show examples/counter.cu
show examples/fused_conv.cu
show examples/mandelbrot.cu 768 512 256 build/mandelbrot.png
printf '\nThe picture is build/mandelbrot.png. Next: warpwise --help, examples/, README.md\n'
