#!/bin/bash
# What Nsight Compute counts for the kernels of programs of ours: one CSV per program, for compare_counters.py.
#
#     OUT=results tests/gpu/counters.sh [PROGRAM.cu[:ARGUMENTS]]…
#
# Without programs: the examples and the ladder of kernels/published/sgemm at n = 1024. Needs nvcc, ncu and the right to read counters.
set -u
cd "$(dirname "$0")/../.." || exit 2
out=${OUT:-gpu-counters}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$PWD
metrics=$(sed -nE 's/^COUNTER\([A-Za-z0-9]+, "([a-z0-9_]+)".*/\1/p' src/perf/counters/counters.inc | grep -v '^warpwise__' |
          sed 's/$/.sum/' | paste -sd,),gpu__time_duration.sum,launch__registers_per_thread,launch__occupancy_limit_registers,sm__maximum_warps_per_active_cycle_pct
if [ $# = 0 ]; then
  set -- examples/*.cu
  for step in kernels/published/sgemm/*.cu; do set -- "$@" "$step:1024"; done
fi
for program in "$@"; do
  source=${program%%:*}
  arguments=; [ "$program" = "$source" ] || arguments=${program#*:}
  name=$(basename "$source" .cu)
  nvcc -arch=sm_90 -lineinfo -O3 -o "$work/$name" "$source" 2> "$out/$name.log" || { echo "$name: does not compile"; continue; }
  (cd "$work" && timeout 300 ncu --csv --page raw --print-units base --replay-mode kernel --metrics "$metrics" --launch-count 12 "./$name" $arguments) > "$work/$name.txt" 2>> "$out/$name.log"
  grep '^"' "$work/$name.txt" > "$out/$name.csv"
  echo "$name: $(($(wc -l < "$out/$name.csv") - 2)) launches"
done
