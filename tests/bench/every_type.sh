#!/usr/bin/env bash
# A small error in any output is found, whatever its type: versions of tests/bench/ladders/every_type, each with one line
# changed.
#
#     every_type.sh WARPWISE FOLDER_OF_THE_LADDER
set -euo pipefail
warpwise=$1 ladder=$2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
# OUTPUT LINE: what comes after the line that writes the output.
wrong() { sed "s|^  atomicAdd(seen.*|&\n  $2|" "$ladder/01_all.cu" >"$work/wrong_$1.cu"; }
wrong h_out 'h_out[i] = __hmul(h_out[i], __float2half(1.004f));'
wrong b_out 'b_out[i] = __float2bfloat16(__bfloat162float(b_out[i]) * 1.03f);'
wrong f8_out 'f8_out[i] = __nv_fp8_e4m3(float(f8_out[i]) * 1.2f);'
wrong d_out 'd_out[i] = __longlong_as_double(__double_as_longlong(d_out[i]) ^ 1);'
wrong i_out 'if (i == n / 2) i_out[i] += 1;'
wrong kept 'if (i == n - 1) kept[i] += 0.5f;'
wrong count 'if (i == 0) atomicAdd(count, 1u);'
code=0
"$warpwise" bench --ladder="$ladder" --shape=small "$work"/*.cu "$ladder/01_all.cu" >"$work/said" 2>&1 || code=$?
bad=0
[ "$code" -eq 1 ] || { echo "exit code $code instead of 1"; bad=1; }
for output in h_out b_out f8_out d_out i_out kept count; do
  grep -qE "^  wrong_$output .* wrong: [0-9]+ elements? of .$output. (is|are) wrong: $output\[" "$work/said" ||
    { echo "the error in $output is not found"; bad=1; }
done
[ "$(grep -c ' right$' "$work/said")" -eq 2 ] || { echo "the right version is not right"; bad=1; }
[ "$bad" -eq 0 ] || cat "$work/said"
exit $bad
