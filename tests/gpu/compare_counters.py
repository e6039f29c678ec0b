#!/usr/bin/env python3
"""Lays what Nsight Compute counted on a GPU (tests/gpu/counters.sh) beside what `warpwise profile --json` counts.

    tests/gpu/compare_counters.py NCU_FOLDER OUR_FOLDER [--above=PERCENT] [--markdown]

NCU_FOLDER holds NAME.csv, OUR_FOLDER NAME.json of the same programs, built by nvcc with the same flags and profiled with
--clock=base: ncu locks the core clock to its base (Nsight Compute CLI, "--clock-control"). Launches are matched in their order. Printed: for each counter, in how many launches it agrees within PERCENT (1), and each difference above that.
"""
import collections
import csv
import json
import pathlib
import sys


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def ncu_launches(path):
    rows = list(csv.reader(path.open()))
    header, launches = rows[0], rows[2:]  # the second row holds the units
    return [dict(zip(header, row)) for row in launches]


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    folders = [pathlib.Path(a) for a in sys.argv[1:] if not a.startswith("--")]
    if len(folders) != 2:
        sys.exit(__doc__)
    above = next((float(o.split("=")[1]) for o in options if o.startswith("--above=")), 1.0)
    agree, seen, differ, times = collections.Counter(), collections.Counter(), [], []
    for path in sorted(folders[0].glob("*.csv")):
        other = folders[1] / (path.stem + ".json")
        if not other.exists():
            print(f"{path.stem}: not profiled", file=sys.stderr)
            continue
        report = json.loads(other.read_text())
        theirs, ours = ncu_launches(path), report["launches"]
        if len(theirs) > len(ours):
            print(f"{path.stem}: {len(theirs)} launches there, {len(ours)} here", file=sys.stderr)
        for there, here in zip(theirs, ours):
            name = f"{path.stem} {here['kernel'].split('(')[0]}"
            for metric, value in here["metrics"].items():
                measured = number(there.get(metric, ""))
                if measured is None:
                    continue
                seen[metric] += 1
                if abs(value - measured) <= above / 100 * max(measured, 1):
                    agree[metric] += 1
                else:
                    differ.append((metric, name, measured, value))
            duration = number(there.get("gpu__time_duration.sum", ""))
            modelled = next((k for k in report["model"]["launches"] if k["index"] == here["index"]), None) if "model" in report else None
            if duration and modelled:
                times.append((name, duration / 1e9, modelled["gpu_time_duration"], modelled["limiter"]))
    print(f"{'counter':62} agree / launches")
    for metric in seen:
        print(f"{metric:62} {agree[metric]:3} / {seen[metric]}")
    print("\ndifferences: measured, ours, ratio")
    for metric, name, measured, value in differ:
        print(f"{metric:62} {name:44} {measured:14.0f} {value:14.0f} {value / measured if measured else float('inf'):8.3f}")
    print("\ntimes: measured us, modelled us, ratio")
    errors = []
    for name, measured, modelled, limiter in times:
        errors.append(abs(modelled / measured - 1))
        print(f"{name:44} {measured * 1e6:10.2f} {modelled * 1e6:10.2f} {modelled / measured:6.2f}  {limiter}")
    if errors:
        errors.sort()
        print(f"median error {errors[len(errors) // 2] * 100:.0f} % over {len(errors)} launches")


main()
