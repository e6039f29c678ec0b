#!/usr/bin/env python3
"""What a call from Python costs: from a source to the first result, a load that is found, an empty kernel, arrays.

    PYTHONPATH=python WARPWISE_LIBRARIES=build/release/lib bench/python/overheads.py [--check]

--check: exit with 1 when a promise is not kept. What counts is the least of many short rounds, because other work of the
machine only adds to a time; the time of processors is shown beside it, with that of the compilers.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from array import array

SOURCE = """
extern "C" __global__ void nothing() {}
extern "C" __global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
// %s
"""

# What is measured: the unit, its size in seconds, and what is promised.
MEASURES = {
    "never seen: source to first result": ("s", 1, 0.4),
    "seen: load": ("ms", 1e-3, 5),
    "empty kernel": ("us", 1e-6, 15),
    "kernel on 1024 floats, copied in and out": ("us", 1e-6, None),
    "kernel on 1024 floats, in place": ("us", 1e-6, None),
    "kernel on 4 MiB, copied in and out": ("us", 1e-6, None),
    "kernel on 4 MiB, in place": ("us", 1e-6, None),
}


def processor_time():
    """Of this process and of those that it has waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def per_call(function, count, rounds=60):
    """The least time of a call, and its time of processors."""
    least, begun_cpu = math.inf, processor_time()
    for _ in range(rounds):
        begun = time.perf_counter()
        for _ in range(count):
            function()
        least = min(least, (time.perf_counter() - begun) / count)
    return least, (processor_time() - begun_cpu) / count / rounds


def measure_process(seed):
    """In a process of its own, whose cache is empty: the measures, as lines."""
    import warpwise as ww

    ww.device()
    times = {}
    x = array("f", range(1024))
    source = SOURCE % seed
    begun, begun_cpu = time.perf_counter(), processor_time()
    module = ww.load(source=source)
    module.scale[8, 128](x, 2.0, 1024)
    times["never seen: source to first result"] = time.perf_counter() - begun, processor_time() - begun_cpu
    assert x[5] == 10

    times["seen: load"] = per_call(lambda: ww.load(source=source), 1)
    launch = module.nothing[1, 1]
    times["empty kernel"] = per_call(launch, 50)
    try:
        import numpy as np
    except ImportError:
        return times
    for what, count in (("1024 floats", 1024), ("4 MiB", 1 << 20)):
        launch = module.scale[(count + 255) // 256, 256]
        values, pages = np.ones(count, np.float32), ww.zeros(count)
        times[f"kernel on {what}, copied in and out"] = per_call(lambda: launch(values, 1.0, count), 5)
        times[f"kernel on {what}, in place"] = per_call(lambda: launch(pages, 1.0, count), 5)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 when a promise is not kept")
    parser.add_argument("--rounds", type=int, default=5, help="processes to measure in")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        print(json.dumps(measure_process(options.one)))
        return 0
    all_times = {}
    for round_ in range(options.rounds):
        with tempfile.TemporaryDirectory() as cache:
            seed = time.time_ns() + round_
            environment = {**os.environ, "WARPWISE_CACHE_DIR": cache}
            run = subprocess.run(
                [sys.executable, __file__, f"--one={seed}"], env=environment, check=True, capture_output=True, text=True
            )
            for name, seconds in json.loads(run.stdout).items():
                all_times.setdefault(name, []).append(seconds)
    missed = False
    for name, times in all_times.items():
        unit, size, most = MEASURES[name]
        least, cpu = (min(column) / size for column in zip(*times))
        kept = most is None or least <= most
        missed |= not kept
        promise = "" if most is None else f"   promised: {most} {unit}{'' if kept else ', MISSED'}"
        print(f"{name:42} {least:9.3f} {unit:2}   processors {cpu:9.3f} {unit:2}{promise}")
    return int(missed and options.check)


if __name__ == "__main__":
    sys.exit(main())
