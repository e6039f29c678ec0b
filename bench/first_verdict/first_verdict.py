#!/usr/bin/env python3
"""How long the first verdict of each problem takes, with a submission that was never seen.

    bench/first_verdict/first_verdict.py --warpwise=PREFIX/bin/warpwise
    bench/first_verdict/first_verdict.py --warpwise=PREFIX/bin/warpwise --bare                                 twice each
    bench/first_verdict/first_verdict.py --warpwise=OLD/bin/warpwise --warpwise=NEW/bin/warpwise     side by side
    bench/first_verdict/first_verdict.py --warpwise=PREFIX/bin/warpwise challenges/matmul puzzles/map

Each problem's first right solution is submitted with an empty cache and an empty folder of data, as a learner's first
file is. What an installation prepares (`warpwise cache prepare`) is there: references and the calls of `solve`, compiled,
and headers, precompiled. With --bare each program is measured once more in a copy of its installation without that, as
a tarball is that nobody has prepared.

Several programs take turns, so that what else the machine does meets all of them alike. Medians count; the time of
processors stands beside that of the clock, because it says what a busy machine adds.

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


PREPARED = "lib/warpwise/precompiled"  # below an installation


def bare_copy(warpwise, work):
    """The program in a copy of its installation that has nothing prepared."""
    prefix = Path(warpwise).resolve().parents[1]
    copy = Path(tempfile.mkdtemp(dir=work)) / "prefix"
    shutil.copytree(prefix, copy, symlinks=True, ignore=lambda folder, _: {"precompiled"} & {
        name for name in os.listdir(folder) if Path(folder) / name == prefix / PREPARED})
    return copy / "bin" / Path(warpwise).name


def last_prepared(options):
    """The column that --limit is about: the last program, prepared."""
    return -2 if options.bare else -1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", help="all, unless some are named")
    parser.add_argument("--warpwise", action="append", required=True, help="an installed program; may be given again")
    parser.add_argument("--bare", action="store_true", help="without what an installation prepares, too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=0.6)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()

    found = sorted(str(toml.parent.relative_to(PROBLEMS)) for toml in PROBLEMS.glob("*/*/problem.toml"))
    late = []
    with tempfile.TemporaryDirectory() as work:
        programs = []  # of the columns
        for number, program in enumerate(options.warpwise):
            letter = chr(ord("A") + number)
            if not (Path(program).resolve().parents[1] / PREPARED / "cache").is_dir():
                sys.exit(f"{program}: nothing is prepared; run `{program} cache prepare`")
            print(f"{letter}: {program}")
            programs.append((letter, program))
            if options.bare:
                programs.append((f"{letter} bare", bare_copy(program, work)))
        columns = range(len(programs))
        medians = [[] for _ in columns]
        print(f"{'problem':32}" + "".join(f"{name:>9} (cpu)" for name, _ in programs))
        for problem in options.problems or found:
            source = min((PROBLEMS / problem / "solutions").iterdir())
            times = [[] for _ in columns]
            for _ in range(options.rounds):
                for c in columns:
                    times[c].append(first_verdict(programs[c][1], problem, source, work))
            line = f"{problem:32}"
            for c in columns:
                seconds, cpu = (statistics.median(column) for column in zip(*times[c]))
                medians[c].append((problem, seconds))
                line += f"{seconds:9.2f} {cpu:5.2f}"
            if medians[last_prepared(options)][-1][1] > options.limit:
                late.append(problem)
                line += "  over"
            print(line, flush=True)
    for kind in ("puzzles", "challenges"):
        line = f"{'median of ' + kind:32}"
        for c in columns:
            times = [seconds for problem, seconds in medians[c] if problem.startswith(kind)]
            line += f"{statistics.median(times):9.2f}      " if times else ""
        print(line)
    print(f"over {options.limit} s, prepared: {len(late)} of {len(medians[0])}")
    return 1 if options.check and late else 0


if __name__ == "__main__":
    sys.exit(main())
