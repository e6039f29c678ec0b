#!/usr/bin/env python3
"""The table of modelled times: what `warpwise profile` says of a training step of each step of the ladder.

    compare/modelled.py [--batch=512] [--device=h200] [--steps=1,2,3,4,5,6] [--precision=fp32]

A table in Markdown goes to standard output. Each figure is of one training step on random data, kernels alone; two steps are profiled and
their mean is taken. WARPWISE names the program to use.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
TRAINED = 2  # `mnist time --runs=1 --rounds=1` trains one step to warm up and times one


def profile(warpwise, device, step, batch, precision):
    sources = sorted(str(p) for kind in ("*.cpp", "*.cu") for p in HERE.rglob(kind))
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "profile.json"
        command = [warpwise, "profile", "-q", f"--device={device}", f"--json={out}", "-O3", "-std=c++17", "-DMNIST_DEFAULT_STEP=3", *sources, "--",
                   "time", f"--step={step}", f"--batch={batch}", "--rounds=1", "--runs=1", f"--precision={precision}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return json.loads(out.read_text())


def short(kernel):
    """The function's name without its template arguments and parameters."""
    name = kernel.split("(")[0]
    depth, kept = 0, ""
    for c in name:
        depth += c == "<"
        if depth == 0:
            kept += c
        depth -= c == ">"
    return kept.split()[-1].replace("mnist::", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--device", default="h200")
    parser.add_argument("--steps", default="1,2,3,4,5,6")
    parser.add_argument("--precision", default="fp32")
    options = parser.parse_args()
    warpwise = os.environ.get("WARPWISE", "warpwise")
    print("| Step | µs | launches | MB through device memory | GFLOP | slowest kernel | its share | what limits it |")
    print("|---|---:|---:|---:|---:|---|---:|---|")
    for step in options.steps.split(","):
        kernels = profile(warpwise, options.device, step, options.batch, options.precision)["model"]["kernels"]
        seconds = sum(k["seconds"] for k in kernels) / TRAINED
        worst = max(kernels, key=lambda k: k["seconds"])
        print(f"| {step} | {1e6 * seconds:,.0f} | {sum(k['launches'] for k in kernels) // TRAINED} "
              f"| {sum(k['dram_bytes'] for k in kernels) / TRAINED / 1e6:,.1f} | {sum(k['flops'] for k in kernels) / TRAINED / 1e9:,.2f} "
              f"| `{short(worst['kernel'])}` | {100 * worst['seconds'] / TRAINED / seconds:.0f} % | {worst['limiter']} |")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
