#!/bin/bash
# The third judge: what a real GPU says of our tests. Needs nvcc, g++ and a driver; nothing else of ours is built.
#
#     OUT=results tests/gpu/judge.sh            all parts
#     tests/gpu/judge.sh --dry-run              builds everything and runs nothing; for machines without a GPU
#
# Parts, each of its own and none waiting for another:
#     ptx        tests/ptx/exec/*/*.ptx by the driver alone (judge_ptx.cpp)
#     programs   tests/cuda/programs/*.cu with NVIDIA's runtime, against their .expected files; what must differ, and
#                why, is in .differs files: lines of `diff`, and comments
#     math       tests/math: NVIDIA's mathematics and instructions against the references of ours
#     examples   examples/*.cu with NVIDIA's runtime: they check themselves
# Results, small text files in $OUT: summary.txt (what is also printed), PART.txt, and of `math` the bits of all
# results (math-N.bin, for another comparison later). Exit status 0: no disagreement.
set -u
cd "$(dirname "$0")/../.." || exit 2
out=${OUT:-gpu-results}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dry=; [ "${1:-}" = --dry-run ] && dry=1
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
summary=$out/summary.txt
: > "$summary"

# say TEXT…: a line of the summary.
say() { printf '%s\n' "$*" | tee -a "$summary"; }
# limited SECONDS COMMAND…: ends it, and what it started, when the time is over.
limited() { timeout --kill-after=5 "$@"; }

describe_machine() {
  say "machine: $(nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader 2>/dev/null || echo 'no GPU')"
  say "nvcc: $("$nvcc" --version 2>/dev/null | grep release || echo none)"
  architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .)
  architecture=${architecture:-90}
}

# --- ptx ---
build_ptx() {
  g++ -std=c++20 -O1 -Isrc -Iinclude -Itests -o "$work/judge_ptx" tests/gpu/{judge_ptx,run_launch,read_case,driver}.cpp -ldl
}
run_ptx() {
  limited 200 "$work/judge_ptx" --jobs=8 --timeout=20 tests/ptx/exec/*/*.ptx > "$out/ptx.txt" 2>&1
  say "ptx: $(tail -1 "$out/ptx.txt")"
  grep -v -e '^agrees' -e '^#' "$out/ptx.txt" | sort | head -150 | tee -a "$summary"
}

# --- programs and examples ---
build_program() {  # SOURCE NAME
  limited 120 "$nvcc" -std=c++20 -w -cudart static -arch="sm_$architecture" -o "$work/$2" "$1" \
    -lcuda -lnvrtc -lnvJitLink > "$work/$2.log" 2>&1
}
run_programs() {
  : > "$out/programs.txt"
  for source in tests/cuda/programs/*.cu; do
    local name; name=$(basename "$source" .cu)
    if [ ! -x "$work/$name" ]; then say "programs: $name does not compile: $(head -3 "$work/$name.log")"; continue; fi
    limited 40 "$work/$name" > "$work/$name.out" 2> "$work/$name.err"
    local status=$?
    diff "tests/cuda/programs/$name.expected" "$work/$name.out" > "$work/$name.diff"
    local known=tests/cuda/programs/$name.differs
    if [ -f "$known" ]; then grep '^[<>]' "$work/$name.diff" | grep -vxFf "$known" > "$work/$name.new"; mv "$work/$name.new" "$work/$name.diff"; fi
    say "programs: $name ended with $status, $(grep -c '^[<>]' "$work/$name.diff") lines differ (< ours, > the GPU's)"
    { echo "== $name"; cat "$work/$name.diff"; } >> "$out/programs.txt"
  done
  grep '^[<>]' "$out/programs.txt" | head -120 | tee -a "$summary"
}
run_examples() {
  : > "$out/examples.txt"
  for source in examples/*.cu; do
    local name; name=example_$(basename "$source" .cu)
    if [ ! -x "$work/$name" ]; then say "examples: $name does not compile: $(head -3 "$work/$name.log")"; continue; fi
    (cd "$work" && limited 30 "./$name") > "$work/$name.out" 2>&1
    local status=$?
    [ $status = 0 ] || say "examples: $name ended with $status: $(tail -1 "$work/$name.out")"
    { echo "== $name: $status"; tail -5 "$work/$name.out"; } >> "$out/examples.txt"
  done
  say "examples: $(grep -c ': 0$' "$out/examples.txt") of $(grep -c '^==' "$out/examples.txt") succeed"
}

# --- math ---
build_math() {
  g++ -std=c++20 -O2 -ffp-contract=off -frounding-math -w -Isrc -Iinclude -o "$work/compare" tests/math/compare.cpp
}
run_math() {
  for group in 1 2 3 4 5 6; do
    if [ ! -x "$work/math-$group" ]; then say "math: group $group does not compile: $(head -3 "$work/math-$group.log")"; continue; fi
    limited 60 "$work/math-$group" 4096 "$out/math-$group.bin" > "$work/math-$group.out" 2>&1 || say "math: group $group failed: $(tail -1 "$work/math-$group.out")"
    limited 60 "$work/compare" --other --verbose "$out/math-$group.bin" > "$out/math-$group.txt" 2>&1
    say "math: group $group: $(tail -1 "$out/math-$group.txt")"
    grep -A4 "^WRONG" "$out/math-$group.txt" | grep -v "^near" | cut -c1-250 | head -90 | tee -a "$summary"
  done
}

describe_machine
# All compilations at once, as many as there are processors.
started=$SECONDS
build_ptx > "$work/judge_ptx.log" 2>&1 & build_math > "$work/compare.log" 2>&1 &
slots=$(( $(nproc) > 2 ? $(nproc) : 2 ))
for group in 1 2 3 4 5 6; do
  limited 240 "$nvcc" -std=c++17 -w -cudart static -arch="sm_$architecture" -DWW_GROUP=$group -o "$work/math-$group" tests/math/evaluate.cu > "$work/math-$group.log" 2>&1 &
done
for source in tests/cuda/programs/*.cu examples/*.cu; do
  name=$(basename "$source" .cu)
  case $source in examples/*) name=example_$name ;; esac
  while [ "$(jobs -rp | wc -l)" -ge "$slots" ]; do wait -n; done
  build_program "$source" "$name" &
done
wait
say "built in $((SECONDS - started)) s"
for name in judge_ptx compare; do [ -x "$work/$name" ] || say "$name does not compile: $(grep error "$work/$name.log" | head -3)"; done
for part in ptx math programs examples; do
  started=$SECONDS
  if [ -n "$dry" ]; then continue; fi
  "run_$part"
  say "$part took $((SECONDS - started)) s"
done
if [ -n "$dry" ]; then
  say "dry run: $(ls "$work" | grep -cv -e '\.log$') programs built; not built:$(for log in "$work"/*.log; do [ -x "${log%.log}" ] || echo " $(basename "$log" .log)"; done)"
  "$work/judge_ptx" --list tests/ptx/exec/*/*.ptx > "$out/ptx.txt" 2>&1; say "ptx: $(grep -c parameters "$out/ptx.txt") launches read; $(grep -c judge_ptx: "$out/ptx.txt") files refused"
fi
! grep -q -e '^DIFFERS' -e '^REFUSED' -e '^HUNG' -e '^WRONG' -e '^<' -e '^>' -e 'does not compile' -e 'failed: ' -e 'is no file' -e '^examples: .* ended' "$summary"
