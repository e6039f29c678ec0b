#!/usr/bin/env bash
# `warpwise profile --on=gpu` on a driver that passes everything on to the virtual GPU (tests/device/gpu/relay_driver.cpp),
# whose events tell modelled times: what is "measured" there must be what the model says here. A program called ncu
# stands for Nsight Compute: it runs the program, and says what it is told to.
#
#     on_gpu.sh WARPWISE RELAY LIBCUDA
set -euo pipefail
warpwise=$1
export WARPWISE_GPU_DRIVER=$2 RELAY_TO=$3
# The libraries of the second namespace have thread-local variables, too.
export GLIBC_TUNABLES=glibc.rtld.optional_static_tls=65536:glibc.rtld.nns=4
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
export RELAY_OPTIONS="{\"device\": \"t4\", \"tiers\": \"compiled\", \"profile\": \"$work/relay\"}"
cd "$work"
bad=0
wrong() { echo "$*"; bad=1; }
says() { grep -qF -- "$2" "$1" || { wrong "$1 does not say: $2"; cat "$1"; }; }

cat >twice.cu <<'CUDA'
#include <cstdio>
__global__ void twice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
int main() {
  const int n = 1 << 20;
  float* x;
  cudaMalloc(&x, n * sizeof *x);
  cudaMemset(x, 0, n * sizeof *x);
  for (int i = 0; i < 3; ++i) twice<<<n / 256, 256>>>(x, n);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
CUDA

# Times alone. What the program prints comes once.
WARPWISE_NCU=/nowhere "$warpwise" profile --on=gpu --json=times.json twice.cu >out 2>said || wrong "exit code $?"
[ "$(cat out)" = "no error" ] || wrong "the program printed: $(cat out)"
says said 'measured '
says said '3 launches, each '
says said 'The GPU'"'"'s own counters were not read: Nsight Compute'"'"'s program `ncu` is not installed.'
python3 - <<'PYTHON' || bad=1
import json
report = json.load(open("times.json"))["model"]
(kernel,) = report["kernels"]
measured = kernel["measured"]
assert measured["launches"] == 3 and measured["counters"] == {}, measured
# The model of the same device, on both sides.
assert abs(measured["seconds"] / measured["modelled_seconds"] - 1) < 0.05, measured
assert measured["in_range"] and measured["difference"] == [], measured
assert report["measured"]["device"] == "Tesla T4", report["measured"]
PYTHON

# A model of another device: the difference is told, and explained.
printf 'like = "t4"\nname = "slow"\ndram_fraction = 0.2\ndram_read_fraction = 0.2\n' >slow.toml
"$warpwise" profile --on=gpu --device=slow.toml --no-ncu twice.cu >out 2>said || wrong "exit code $?"
says said 'too long, and the time is outside its range'
says said 'the model would agree if DRAM were'

# The counters of a GPU.
mkdir bin
cat >bin/ncu <<'SCRIPT'
#!/usr/bin/env bash
echo "$WARPWISE_OPTIONS" >options
while [[ $1 == --* ]]; do
  [[ $1 == --log-file=* ]] && log=${1#*=}
  shift
done
"$@"
{ echo '==PROF== Connected'
  echo '"ID","Kernel Name","Block Size","Grid Size","smsp__inst_executed.sum","dram__bytes_read.sum"'
  echo '"","","","","inst","byte"'
  for id in 0 1 2; do echo "\"$id\",\"_Z5twicePfi\",\"(256, 1, 1)\",\"(4096, 1, 1)\",\"500,000\",\"4194304\""; done
} >"$log"
SCRIPT
chmod +x bin/ncu
WARPWISE_NCU=$work/bin/ncu "$warpwise" profile --on=gpu --json=counters.json --html=report.html twice.cu >out 2>said || wrong "exit code $?"
[ "$(cat out)" = "no error" ] || wrong "the program printed: $(cat out)"
grep -q '"on": *"gpu:0"' options || wrong "ncu does not see a program on the GPU: $(cat options)"
says said 'counters of 3 launches'
says said 'smsp__inst_executed'
says report.html 'The GPU'"'"'s counters beside ours (3 of 3 launches)'
python3 - <<'PYTHON' || bad=1
import json
(kernel,) = json.load(open("counters.json"))["model"]["kernels"]
counters = kernel["measured"]["counters"]
assert counters["smsp__inst_executed.sum"]["gpu"] == 1500000, counters
assert counters["dram__bytes_read.sum"]["here"] == 3 * 4194304, counters
assert len(counters) == 2, counters
PYTHON

# An ncu that may not count.
printf '#!/bin/sh\nfor w; do case $w in --log-file=*) echo "==ERROR== ERR_NVGPUCTRPERM" >"${w#*=}";; esac; done; exit 1\n' >bin/ncu
WARPWISE_NCU=$work/bin/ncu "$warpwise" profile --on=gpu twice.cu >out 2>said || wrong "exit code $?"
says said 'ended with exit code 1: ==ERROR== ERR_NVGPUCTRPERM'

# What does not go together.
"$warpwise" profile --on=gpu twice.cu --vs=twice.cu >out 2>said && wrong "--vs is taken"
says said '`warpwise bench`'
exit $bad
