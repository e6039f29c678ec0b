#!/usr/bin/env python3
"""How programs scale with host threads, plain and while races are checked.

    bench/threads/threads.py [--warpwise=PROGRAM] [--threads=1,2,4] [--rounds=3] [--json=FILE] [--check] [SOURCE...]

Runs each CUDA source (those of bench/threads/programs, unless some are named) with so many host threads, plain and under
`check --only=race`, in turns. The code comes from the cache. Times are those of whole processes by the clock, the
fastest of the rounds, less the time of a program that only starts; what counts is how much faster than on one thread
that is. What a program prints must be the same on any number of threads. Exits with 1 where it is not; with --check also
where two threads are less than 1.5 times as fast as one.
"""
import argparse, json, math, os, pathlib, platform, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAYS = {"run": ["run", "--tiers=compiled"], "race": ["check", "--only=race"]}
EMPTY = '#include <cstdio>\n__global__ void nothing() {}\nint main() { nothing<<<1, 1>>>(); cudaDeviceSynchronize(); puts("-"); }\n'
LEAST_GAIN = 1.5  # of two threads


def seconds(command, environment):
    begun = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return time.monotonic() - begun, done.stdout


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpwise", default=ROOT / "build/release/bin/warpwise")
    processors = len(os.sched_getaffinity(0))
    counts = [1 << i for i in range(processors.bit_length()) if 1 << i <= processors]
    parser.add_argument("--threads", default=",".join(map(str, counts)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("sources", nargs="*")
    asked = parser.parse_args()
    counts = [int(count) for count in asked.threads.split(",")]
    sources = asked.sources or sorted((ROOT / "bench/threads/programs").glob("*.cu"))
    rows, wrong = [], False
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "WARPWISE_CACHE_DIR": folder}
        empty = pathlib.Path(folder) / "empty.cu"
        empty.write_text(EMPTY)
        print(f"{'':24}{'threads':>10}" + "".join(f"{count:>12}" for count in counts))
        starts = {}
        for source in [empty, *sources]:
            best, outputs = {}, {}
            for turn in range(asked.rounds + 1):  # the first one fills the cache
                for way, words in WAYS.items():
                    for count in counts:
                        took, outputs[way, count] = seconds([asked.warpwise, *words, f"--threads={count}", source], environment)
                        if turn > 0:
                            best[way, count] = min(took, best.get((way, count), math.inf))
            if source == empty:
                starts = best
                continue
            printed = {output.splitlines()[0] for output in outputs.values()}
            wrong = wrong or len(printed) > 1
            for way in WAYS:
                took = [max(best[way, count] - starts[way, count], 1e-3) for count in counts]
                gains = [took[0] / t for t in took]
                wrong = wrong or (asked.check and 2 in counts and gains[counts.index(2)] < LEAST_GAIN)
                rows.append({"program": pathlib.Path(source).stem, "way": way, "threads": counts, "seconds": took, "gains": gains})
                print(f"{pathlib.Path(source).stem:24}{way:>10}" + "".join(f"{t:7.2f} s{g:4.1f}" for t, g in zip(took, gains))
                      + ("" if len(printed) == 1 else "   OTHER OUTPUT"), flush=True)
    print(f"{processor()}, {processors} processors")
    if asked.json:
        pathlib.Path(asked.json).write_text(json.dumps({"machine": processor(), "processors": processors, "rounds": asked.rounds, "programs": rows}, indent=1) + "\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
