#!/usr/bin/env python3
"""How long the first verdict of each problem takes: nothing of it is in any cache but what an installation prepares.

    bench/first_verdict/first_verdict.py --warpwise=PREFIX/bin/warpwise
    bench/first_verdict/first_verdict.py --warpwise=OLD/bin/warpwise --warpwise=NEW/bin/warpwise     side by side
    bench/first_verdict/first_verdict.py --warpwise=PREFIX/bin/warpwise challenges/matmul puzzles/map

Each problem's first right solution is submitted with an empty cache and an empty folder of data, as a learner's first
file is. Several programs take turns, so that what else the machine does meets all of them alike. Medians count; the time
of processors stands beside that of the clock, because it says what a busy machine adds.

--check: exit with 1 when a problem takes longer than --limit seconds.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROBLEMS = Path(__file__).resolve().parents[2] / "problems"


def processor_time():
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def first_verdict(warpwise, problem, source, work):
    """The seconds of the clock and of processors that one submission takes."""
    home = Path(tempfile.mkdtemp(dir=work))
    file = home / "solution.cu"
    shutil.copy(source, file)
    environment = {**os.environ, "HOME": str(home)}
    for name in ("WARPWISE_CACHE_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "WARPWISE_CACHE_SIZE"):
        environment.pop(name, None)
    begun, begun_cpu = time.perf_counter(), processor_time()
    ended = subprocess.run([warpwise, "lab", "submit", problem, file], env=environment, cwd=home, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    seconds = time.perf_counter() - begun, processor_time() - begun_cpu
    shutil.rmtree(home)
    if ended.returncode:
        sys.exit(f"{problem}: {source.name} is not accepted by {warpwise}:\n{ended.stdout}")
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", help="all, unless some are named")
    parser.add_argument("--warpwise", action="append", required=True, help="an installed program; may be given again")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=0.6)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()

    found = sorted(str(toml.parent.relative_to(PROBLEMS)) for toml in PROBLEMS.glob("*/*/problem.toml"))
    columns = range(len(options.warpwise))
    medians = [[] for _ in columns]
    late = []
    for program in options.warpwise:
        print(f"{chr(ord('A') + options.warpwise.index(program))}: {program}")
    print(f"{'problem':32}" + "".join(f"{chr(ord('A') + c):>9} (cpu)" for c in columns))
    with tempfile.TemporaryDirectory() as work:
        for problem in options.problems or found:
            source = min((PROBLEMS / problem / "solutions").iterdir())
            times = [[] for _ in columns]
            for _ in range(options.rounds):
                for c in columns:
                    times[c].append(first_verdict(options.warpwise[c], problem, source, work))
            line = f"{problem:32}"
            for c in columns:
                seconds, cpu = (statistics.median(column) for column in zip(*times[c]))
                medians[c].append((problem, seconds))
                line += f"{seconds:9.2f} {cpu:5.2f}"
            if medians[-1][-1][1] > options.limit:
                late.append(problem)
                line += "  over"
            print(line, flush=True)
    for kind in ("puzzles", "challenges"):
        line = f"{'median of ' + kind:32}"
        for c in columns:
            times = [seconds for problem, seconds in medians[c] if problem.startswith(kind)]
            line += f"{statistics.median(times):9.2f}      " if times else ""
        print(line)
    print(f"over {options.limit} s: {len(late)} of {len(medians[-1])}")
    return 1 if options.check and late else 0


if __name__ == "__main__":
    sys.exit(main())
