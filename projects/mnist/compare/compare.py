#!/usr/bin/env python3
"""Ours and PyTorch's training step in turn, on one machine, in one job; writes one table (Markdown) to standard output.

    make -C projects/mnist gpu
    projects/mnist/compare/compare.py --turns 2 > table.md

Each turn runs, for each batch size and precision, our steps and then all of PyTorch's modes (pytorch_mnist.py says what they are);
a figure is the median over the turns of each run's own median. Raw lines, versions, clocks and power go to standard error.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def lines_of(command):
    print("$", " ".join(command), file=sys.stderr)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    sys.stderr.write(done.stdout)
    sys.stderr.flush()
    return done.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--batch", type=int, nargs="+", default=[512, 4096])
    parser.add_argument("--precision", nargs="+", default=["fp32", "tf32", "bf16"])
    parser.add_argument("--steps", type=int, nargs="+", default=[5, 6])
    parser.add_argument("--mode", nargs="+", default=["eager", "compile", "graphs", "eager-graphs"])
    parser.add_argument("--mnist", default=os.path.join(HERE, "..", "build", "mnist"))
    arguments = parser.parse_args()
    state = ["nvidia-smi", "--query-gpu=name,driver_version,clocks.sm,clocks.mem,power.draw,temperature.gpu", "--format=csv,noheader"]
    times = {}
    for _ in range(arguments.turns):
        for batch in arguments.batch:
            for precision in arguments.precision:
                lines_of(state)
                runs = []
                for step in arguments.steps:
                    runs += lines_of([arguments.mnist, "time", f"--step={step}", f"--batch={batch}", f"--precision={precision}", "--rounds=5", "--runs=100"])
                lines_of(state)
                runs += lines_of([sys.executable, os.path.join(HERE, "pytorch_mnist.py"), "time", "--batch", str(batch), "--precision", precision, "--layout", "contiguous",
                                  "channels-last", "--rounds", "3", "--mode", *arguments.mode])
                for line in runs:
                    found = re.match(r"(step \d|pytorch \S+ \S+).*: median ([0-9.]+) us", line)
                    if found:
                        times.setdefault((batch, precision), {}).setdefault(found[1], []).append(float(found[2]))
    print("| batch | precision | ours (µs) | PyTorch eager (µs) | PyTorch's best (µs) | eager / ours | best / ours |")
    print("|---:|---|---:|---:|---:|---:|---:|")
    for (batch, precision), by_name in times.items():
        median = {name: statistics.median(values) for name, values in by_name.items()}
        ours = min((t, n) for n, t in median.items() if n.startswith("step"))
        eager = min((t, n) for n, t in median.items() if re.match("pytorch eager ", n))
        best = min((t, n) for n, t in median.items() if n.startswith("pytorch"))
        print(f"| {batch} | {precision} | {ours[0]:.0f} ({ours[1]}) | {eager[0]:.0f} ({eager[1][14:]}) | {best[0]:.0f} ({best[1][8:]}) | {eager[0] / ours[0]:.1f} | {best[0] / ours[0]:.1f} |")


if __name__ == "__main__":
    main()
