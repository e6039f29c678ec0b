#!/usr/bin/env bash
# Runs CUDA programs with "on": "gpu" on a driver that passes everything on to our own libcuda (relay_driver.cpp), and
# compares what they print with what they print on the virtual GPU itself.
#
#     relay.sh RELAY LIBCUDA FOLDER_OF_PROGRAMS FOLDER_OF_EXPECTED
#
# Left out are programs whose host functions print: they would run on threads of the other namespace, which the C
# library of this one does not know.
set -euo pipefail
export WARPWISE_GPU_DRIVER=$1 RELAY_TO=$2 WARPWISE_OPTIONS='{"on": "gpu"}'
# The libraries of the second namespace have thread-local variables, too.
export GLIBC_TUNABLES=glibc.rtld.optional_static_tls=65536:glibc.rtld.nns=4
programs=$3 expected=$4
names=(api_misuse api_more async_copies builtin_atomics compile_time_clusters deep_recursion driver_objects failing_kernel
  graphs grid_sync groups kernels_cpp20 managed_variable narrow_floats older_spelling random_numbers rarer_functions
  registered_memory saxpy stream_values warp_functions_of_cuda_8 wmma_products)
output=$(mktemp) && trap 'rm -f "$output"' EXIT
bad=0 ran=0
for name in "${names[@]}"; do
  program=$programs/$name-clang
  [ -x "$program" ] || continue
  ran=$((ran + 1))
  code=0
  # (What is reported of failed kernels goes to standard error, and differs: a driver names no thread.)
  timeout 120 "$program" >"$output" 2>/dev/null </dev/null || code=$?
  if ! diff "$expected/$name.expected" "$output" >&2; then
    echo "$name: exit code $code, and prints something else" >&2
    bad=1
  fi
done
[ "$ran" -gt 0 ] || { echo "no program is there: Clang made none"; exit 77; }
echo "$ran programs"
exit $bad
