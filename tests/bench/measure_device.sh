#!/usr/bin/env bash
# `warpwise devices --measure` on a driver that passes everything on to the virtual GPU (tests/device/gpu/relay_driver.cpp),
# whose events and clocks tell modelled times: what is measured there must be the figures that the model was given.
#
#     measure_device.sh WARPWISE RELAY LIBCUDA FAKE_NVML
set -euo pipefail
warpwise=$1
export WARPWISE_GPU_DRIVER=$2 RELAY_TO=$3 WARPWISE_NVML=$4
# The libraries of the second namespace have thread-local variables, too.
export GLIBC_TUNABLES=glibc.rtld.optional_static_tls=65536:glibc.rtld.nns=4
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
# The model lowers the clock under load, and the clock that a kernel reads does not know: here it stays.
printf 'like = "t4"\nname = "Tesla T4"\nsustained_clock_khz = 1590000\n' >"$work/steady.toml"
export RELAY_OPTIONS="{\"device\": \"$work/steady.toml\", \"tiers\": \"compiled\", \"profile\": \"$work/relay\"}"
cd "$work"
"$warpwise" devices --measure --quick -o mine.toml >said 2>&1 || { echo "exit code $?"; cat said; exit 1; }
"$warpwise" devices --json t4 mine.toml >devices.json
grep -q '^# .* W idle' mine.toml || { echo "no power in the file"; cat mine.toml; exit 1; }
python3 - <<'PYTHON'
import json
given, measured = json.load(open("devices.json"))
# By how much each may differ. Clocks are counted in whole ones, and a load from L1 takes as long as one from L2 by the
# clock of a kernel; what limits a probe beside the figure is the model's business.
ALLOWED = {"fp32_lanes": 0.1, "integer_lanes": 0.1, "fp64_lanes": 0.1, "fp16_lanes": 0.1, "special_lanes": 0.1,
           "lsu_lanes": 0.1, "l1_bytes_per_clock": 0.1, "dram_read_fraction": 0.1,
           "dram_fraction": 0.1, "l2_atomics_per_clock": 0.15, "tensor_f16": 0.1, "fma_latency": 0.1, "fp64_latency": 0.1,
           "special_latency": 0.1, "shared_latency": 0.1, "l1_latency": 0.15, "l2_latency": 0.1, "dram_latency_ns": 0.15,
           "launch_ns": 0.1, "host_gb_per_s": 0.1, "host_latency_ns": 0.1}
bad = 0
for name, allowed in ALLOWED.items():
    there, here = given[name], measured[name]
    off = here / there - 1
    if abs(off) > allowed:
        bad = 1
    print(f"{name:28} {there:12.4g} {here:12.4g} {100 * off:+7.1f} %{'' if abs(off) <= allowed else '   too far'}")
raise SystemExit(bad)
PYTHON

# A GPU that is busy is not measured.
export FAKE_NVML=busy
"$warpwise" devices --measure --quick >said 2>&1 && { echo "measures a busy GPU"; exit 1; }
grep -q B0006 said || { cat said; exit 1; }
