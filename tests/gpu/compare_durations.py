#!/usr/bin/env python3
"""The model beside an H200: durations that Nsight Compute measured (h200_durations.csv) and those that `warpwise profile` predicts.

    tests/gpu/compare_durations.py WARPWISE [--only=WORD] [--above=PERCENT]

Needs nvcc: its PTX is what ran on the GPU. Each program of the file is profiled with --device=h200 --clock=base (ncu locks the core clock to its
base); launches are matched in their order. Printed: each launch that is more than PERCENT (0) off, the median error, and the median ratio.
--only: programs with the word in their path or arguments. All of them take a quarter of an hour.
"""
import csv
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def predicted(warpwise, program, arguments):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "profile.json")
        run = subprocess.run([warpwise, "profile", "-q", "--clock=base", "--compiler=nvcc", "--device=h200", "-O3", "--json", out, os.path.join(ROOT, program)] + arguments.split(),
                             capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{program}: {run.stdout}{run.stderr}")
        profile = json.load(open(out))
    times = {l["index"]: l["gpu_time_duration"] * 1e6 for l in profile["model"]["launches"]}
    return times, {k["kernel"].split("(")[0].split("::")[-1]: k["limiter"] for k in profile["model"]["kernels"] if k["predicted"]}


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    if len(words) != 1:
        sys.exit(__doc__)
    above, only, ratios = float(options.get("above", 0)), options.get("only", ""), []
    rows = list(csv.DictReader(open(os.path.join(ROOT, "tests/gpu/h200_durations.csv"))))
    for (program, arguments), launches in itertools.groupby(rows, key=lambda r: (r["program"], r["arguments"])):
        if only not in f"{program} {arguments}":
            continue
        times, limiters = predicted(words[0], program, arguments)
        for row in launches:
            measured, model = float(row["microseconds"]), times.get(int(row["launch"]))
            if model is None:
                continue
            ratios.append(model / measured)
            if abs(model / measured - 1) * 100 >= above:
                print(f"{os.path.basename(program)[:-3]:18}{arguments:12}{row['kernel']:20}{measured:10.2f} us, model {model:10.2f} us {100 * (model / measured - 1):+5.0f} %  {limiters.get(row['kernel'], '')}", flush=True)
    if ratios:
        errors = [abs(r - 1) for r in ratios]
        print(f"{len(ratios)} launches: median error {100 * statistics.median(errors):.0f} %, median ratio {statistics.median(ratios):.2f}, a tenth is more than {100 * sorted(errors)[int(len(errors) * 0.9)]:.0f} % off")


main()
