#!/usr/bin/env python3
"""The table of README.md: an iteration of each step, its time modelled for a GPU.

    PYTHONPATH=python WARPWISE_LIBRARIES=build/release/lib python3 projects/clustering/table.py [GPU]
"""

from __future__ import annotations

import sys

import numpy as np

import kmeans
import warpwise as ww

SIZES = ((1 << 16, 2, 16), (1 << 14, 16, 32), (1 << 14, 64, 64))  # points, dimensions, clusters


def modelled_ms(points: np.ndarray, clusters: int, step: str, gpu: str) -> float:
    start = kmeans.start_centres(points, clusters)
    with ww.profile(device=gpu) as report:
        kmeans.kmeans(points, clusters, start=start, step=step, most=1)
    return 1e3 * report.model["kernel_seconds"]


def main() -> None:
    gpu = sys.argv[1] if len(sys.argv) > 1 else "h200"
    random = np.random.default_rng(5)
    print("| Step | " + " | ".join(f"{n} points, {d} dimensions, {k} clusters" for n, d, k in SIZES) + " |")
    print("|---|" + "---|" * len(SIZES))
    for step in kmeans.STEPS:
        times = []
        for count, dimensions, clusters in SIZES:
            points = random.normal(0, 1, (count, dimensions)).astype(np.float32)
            times.append(f"{modelled_ms(points, clusters, step, gpu):.3f} ms")
        print(f"| {step} | " + " | ".join(times) + " |")


if __name__ == "__main__":
    main()
