#!/usr/bin/env python3
"""The tables of README.md: each step's kernels, their time modelled for a GPU; and this machine beside scikit-learn.

    PYTHONPATH=python WARPWISE_LIBRARIES=build/release/lib python3 projects/clustering/table.py [GPU]     of 9.0
    ... table.py --pictures FOLDER            # the pictures of README.md
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np

import dbscan
import domain
import kmeans
import pictures
import potts
import warpwise as ww


def blobs(count: int, dimensions: int, clusters: int, spread: float, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    centres = random.uniform(-10, 10, (clusters, dimensions))
    return (centres[random.integers(clusters, size=count)] + random.normal(0, spread, (count, dimensions))).astype(
        np.float32
    )


def moons(count: int, noise: float, seed: int) -> np.ndarray:
    """Two half circles in one another, and a twentieth of the points anywhere."""
    random = np.random.default_rng(seed)
    turn = random.uniform(0, math.pi, count)
    upper = np.stack([np.cos(turn), np.sin(turn)], 1)
    points = np.where((np.arange(count) % 2 == 0)[:, None], upper, [1, 0.5] - upper)
    points += random.normal(0, noise, (count, 2))
    points[::20] = random.uniform([-1.5, -1], [2.5, 1.5], (len(points[::20]), 2))
    return points.astype(np.float32)


def image(size: int, clusters: int, channels: int, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Pieces around seeds by chance, each with the colour of its cluster, and noise; and the right labels."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[:size, :size]
    seeds = random.uniform(0, size, (3 * clusters, 2))
    truth = (((y[..., None] - seeds[:, 0]) ** 2 + (x[..., None] - seeds[:, 1]) ** 2).argmin(2) % clusters).ravel()
    values = truth[:, None] + random.normal(0, noise, (size * size, channels))
    return values.astype(np.float32), truth


def modelled_ms(gpu: str, function: Callable[[], Any]) -> str:
    with ww.profile(device=gpu) as report:
        function()
    return f"{1e3 * report.model['kernel_seconds']:.3f} ms"


def print_table(steps: tuple[str, ...], columns: dict[str, Callable[[str], str]]) -> None:
    print("| Step | " + " | ".join(columns) + " |\n|---|" + "---|" * len(columns))
    for step in steps:
        print(f"| {step} | " + " | ".join(column(step) for column in columns.values()) + " |", flush=True)
    print()


def kmeans_table(gpu: str) -> None:
    def column(count: int, dimensions: int, clusters: int) -> Callable[[str], str]:
        points = blobs(count, dimensions, clusters, 1.0, 5)
        start = kmeans.start_centres(points, clusters)

        def cell(step: str) -> str:
            if not kmeans.takes(step, dimensions, clusters):
                return "–"
            return modelled_ms(gpu, lambda: kmeans.kmeans(points, clusters, start=start, step=step, most=1))

        return cell

    sizes = ((1 << 16, 2, 16), (1 << 14, 16, 32), (1 << 14, 64, 64))
    print_table(kmeans.STEPS, {f"{n} points, {d} dimensions, {k} clusters": column(n, d, k) for n, d, k in sizes})


def dbscan_table(gpu: str) -> None:
    def column(points: np.ndarray, reach: float, least: int, from_step: int) -> Callable[[str], str]:
        def cell(step: str) -> str:
            if dbscan.STEPS.index(step) < from_step:
                return "–"
            return modelled_ms(gpu, lambda: dbscan.dbscan(points, reach, least, step=step))

        return cell

    print_table(
        dbscan.STEPS,
        {
            "2048 points of two moons": column(moons(2048, 0.05, 6), 0.1, 8, 0),
            "8192 points of two moons": column(moons(1 << 13, 0.05, 6), 0.05, 8, 2),
            "8192 points in space": column(blobs(1 << 13, 3, 8, 0.6, 7), 0.3, 8, 2),
        },
    )


def potts_table(gpu: str) -> None:
    def column(size: int, clusters: int, channels: int) -> Callable[[str], str]:
        values, _ = image(size, clusters, channels, 1.0, 8)
        where = domain.grid(size, size)
        start = np.random.default_rng(9).integers(clusters, size=size * size)
        # One change of the parameters, and four sweeps.
        return lambda step: modelled_ms(
            gpu, lambda: potts.mixture(values, where, clusters, 1.0, start=start, step=step, most=4)
        )

    sizes = ((64, 3, 1), (64, 8, 4), (64, 32, 8))
    print_table(potts.STEPS, {f"{s} x {s} sites, {k} clusters, {c} channels": column(s, k, c) for s, k, c in sizes})


def processor_seconds(function: Callable[[], Any], rounds: int = 3) -> float:
    """The least of some rounds, behind one that compiles. Of all threads: other work of the machine does not count."""
    function()
    least = math.inf
    for _ in range(rounds):
        begun = time.process_time()
        function()
        least = min(least, time.process_time() - begun)
    return least


def beside_scikit_learn() -> None:
    try:
        from sklearn.cluster import DBSCAN, KMeans
        from sklearn.mixture import GaussianMixture
    except ImportError:
        print("scikit-learn is not installed", file=sys.stderr)
        return
    print("| On this machine | scikit-learn | our last step (of k-means step 3), on the virtual GPU |\n|---|---|---|")

    def row(what: str, theirs: Callable[[], Any], ours: Callable[[], Any]) -> None:
        print(f"| {what} | {processor_seconds(theirs):.3f} s | {processor_seconds(ours):.3f} s |", flush=True)

    points = blobs(1 << 14, 16, 32, 2.0, 5)
    start = kmeans.start_centres(points, 32)
    row(
        "k-means, 16384 points, 16 dimensions, 32 clusters, 10 iterations",
        lambda: KMeans(32, init=start, n_init=1, max_iter=10, tol=0, algorithm="lloyd").fit(points),
        lambda: kmeans.kmeans(points, 32, start=start, most=10, step="3_points_in_registers"),
    )
    scattered = moons(1 << 13, 0.05, 6)
    row(
        "DBSCAN, 8192 points of two moons",
        lambda: DBSCAN(eps=0.05, min_samples=8).fit(scattered),
        lambda: dbscan.dbscan(scattered, 0.05, 8),
    )
    values, _ = image(64, 4, 2, 1.0, 8)
    where = domain.grid(64, 64)
    row(
        "mixture, 4096 sites, 2 channels, 4 clusters (theirs without a prior)",
        lambda: GaussianMixture(4, covariance_type="diag", random_state=0).fit_predict(values),
        lambda: potts.mixture(values, where, 4, 1.0),
    )
    print()


def right_share(labels: np.ndarray, truth: np.ndarray) -> float:
    """Of the sites, when each cluster is named after the label that most of its sites have."""
    return sum(np.bincount(truth[labels == k]).max() for k in np.unique(labels)) / len(truth)


def accuracy() -> None:
    print("| beta | sites with the right label | sweeps |\n|---|---|---|")
    values, truth = image(96, 4, 1, 0.6, 8)
    for beta in (0.0, 0.5, 1.0, 2.0):
        found = potts.mixture(values, domain.grid(96, 96), 4, beta)
        print(f"| {beta} | {100 * right_share(found.labels, truth):.1f} % | {found.sweeps} |")
    print()


def draw(folder: Path) -> None:
    """Clusters while they form, a strip for each method."""
    points = blobs(1500, 2, 5, 1.2, 23)
    frames: list[np.ndarray] = []
    start = points[:5] + np.float32(0.01)
    kmeans.kmeans(points, 5, start=start, watcher=lambda i, l, c: frames.append(pictures.points(points, l, c, 240)))
    pictures.write_png(folder / "kmeans.png", pictures.strip(frames, most=4))

    scattered = moons(1500, 0.06, 6)
    frames = []

    def passed(number: int, roots: np.ndarray) -> None:
        known = np.unique(roots, return_inverse=True)[1] - int(roots.min() < 0)
        frames.append(pictures.points(scattered, known, size=240))

    found = dbscan.dbscan(scattered, 0.13, 8, step=dbscan.STEPS[0], watcher=passed)
    frames.append(pictures.points(scattered, found.labels, size=240))
    pictures.write_png(folder / "dbscan.png", pictures.strip(frames, most=4))

    values, _ = image(96, 4, 1, 0.6, 8)
    frames = [pictures.grey(values, 96, 96)]
    potts.mixture(
        values, domain.grid(96, 96), 4, 2.0, watcher=lambda what, l, e: frames.append(pictures.grid(l, 96, 96))
    )
    pictures.write_png(folder / "potts.png", pictures.strip(frames, most=5))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gpu", nargs="?", default="h200")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="draw, and nothing else")
    options = parser.parse_args()
    if options.pictures:
        return draw(options.pictures)
    kmeans_table(options.gpu)
    dbscan_table(options.gpu)
    potts_table(options.gpu)
    accuracy()
    beside_scikit_learn()


if __name__ == "__main__":
    main()
