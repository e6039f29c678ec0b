#!/usr/bin/env bash
# `warpwise bench --on=gpu` on a driver that passes everything on to the virtual GPU (tests/device/gpu/relay_driver.cpp):
# honest versions get a time, planted cheaters a reason, and a GPU that is busy or throttled no conclusion.
#
#     on_gpu.sh WARPWISE SOURCES RELAY LIBCUDA FAKE_NVML
set -euo pipefail
warpwise=$1 sources=$2
export WARPWISE_GPU_DRIVER=$3 RELAY_TO=$4 WARPWISE_NVML=$5 WARPWISE_LADDERS=$2/kernels
# A cache of 4 MiB, and not of 50, is soon flushed.
export RELAY_OPTIONS='{"device": "t4", "tiers": "compiled"}'
# The libraries of the second namespace have thread-local variables, too.
export GLIBC_TUNABLES=glibc.rtld.optional_static_tls=65536:glibc.rtld.nns=4
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
said=$work/said
bad=0
# What is measured here is a simulator, whose times say nothing: few rounds will do.
bench() { # EXIT_CODE ARGUMENTS…
  local wanted=$1 code=0
  shift
  "$warpwise" "$@" --on=gpu --shape=tiny --rounds=6 >"$said" 2>&1 || code=$?
  [ "$code" -eq "$wanted" ] || { echo "exit code $code instead of $wanted: warpwise $*"; cat "$said"; bad=1; }
}
says() { # WORDS
  grep -qF -- "$1" "$said" || { echo "does not say: $1"; cat "$said"; bad=1; }
}
says_not() { # WORDS
  if grep -qF -- "$1" "$said"; then echo "says: $1"; cat "$said"; bad=1; fi
}

# Honest steps.
bench 0 ladder vector_add --json="$work/first.json" --csv="$work/first.csv" --html="$work/first.html"
says '01_naive'
says 'right'
says 'core clock between rounds: 19'
[ "$(grep -c '"verdict": "right"' "$work/first.json")" -eq 2 ] || { echo "JSON: not two right versions"; bad=1; }
[ "$(wc -l <"$work/first.csv")" -eq 3 ] || { echo "CSV: not a head and two rows"; bad=1; }
grep -q '<svg' "$work/first.html" || { echo "HTML: no plot"; bad=1; }

# Cheaters, each with its reason, beside an honest one that is measured all the same.
bench 1 bench --ladder=vector_add vector_add/01 "$sources"/tests/bench/cheaters/*.cu
says 'wrong: replays an old result: `sum` is right for the inputs of another run'
says 'wrong: skips work: it leaves 1003 elements of `sum` unwritten in run'
says 'wrong: changes its input `a`: 1003 elements'
says 'wrong: 1 element of `sum` is wrong: sum[1002] is'
says 'failed: signal 6'
says 'failed: it answers no more and does not end'
says 'failed: it does not compile'
says "undeclared identifier 'add_them'"
says 'not here: needs sm_100a'
says 'not taken: takes n % 2 == 0'
[ "$(grep -c ' right$' "$said")" -eq 1 ] || { echo "the honest version is not right"; cat "$said"; bad=1; }

# A library that is there is measured beside the steps and marked as one; one that is not is a row and no failure.
bench 0 bench --ladder=vector_add vector_add/01 "$sources"/tests/bench/peers/*.cu --json="$work/peers.json"
says 'of library'
says 'libm (library)'
says "Nowhere (library)"
says "not here: libnowhere.so.1 is not installed"
says 'not here: nvcc with its header nowhere/nowhere.cuh is not installed'
[ "$(grep -c ' right$' "$said")" -eq 2 ] || { echo "not a step and a library that are right"; cat "$said"; bad=1; }
grep -q '"peer": "libm"' "$work/peers.json" || { echo "JSON: the library is not marked"; bad=1; }

# A cache that stays warm.
bench 0 bench vector_add/02 --warm
says 'L2 warm'

# What NVML sees.
export FAKE_NVML
FAKE_NVML=busy bench 1 ladder vector_add
says 'B0006'
says 'busy to 87 % before anything of ours runs there: process 4000'
says_not '01_naive'
FAKE_NVML=company bench 1 ladder vector_add
says 'B0006'
says 'process 4711 has begun to use the GPU between rounds'
FAKE_NVML=hot bench 1 ladder vector_add
says 'B0007'
says "heat holds the GPU's clock back"
FAKE_NVML=limited bench 0 ladder vector_add
says 'the power limit held the clock back after 6 of 6 rounds'
WARPWISE_NVML=/nowhere/libnvidia-ml.so.1 bench 0 ladder vector_add
says 'were not watched'

# Baselines: the same kernel is no slower than itself was made to be, and other devices are refused.
sed -E 's/"(seconds|low|high)": [0-9.e+-]+/"\1": 1e-9/' "$work/first.json" >"$work/fast.json"
bench 122 ladder vector_add --baseline="$work/fast.json"
says 'slower'
sed -E 's/"(seconds|low|high)": [0-9.e+-]+/"\1": 10.0/' "$work/first.json" >"$work/slow.json"
bench 0 ladder vector_add --baseline="$work/slow.json"
says 'faster'
export XDG_DATA_HOME=$work/data
bench 0 bench vector_add/01 --save=main
says 'kept as main@1'
bench 1 bench vector_add/01 --baseline=other
says 'B0011'
"$warpwise" bench --history=main >"$said" 2>&1 || { echo "no history"; bad=1; }
says '01_naive'
sed 's/"device": "[^"]*"/"device": "NVIDIA Other"/' "$work/first.json" >"$work/other.json"
bench 1 ladder vector_add --baseline="$work/other.json"
says 'B0009'
bench 1 ladder vector_add --baseline="$work/first.csv"
says 'B0008'
exit $bad
