"""k-means by CUDA kernels, with a plain reference.

    import kmeans
    found = kmeans.kmeans(points, clusters=5)            # points: (n, dimensions), numpy or a tensor of the CPU
    found.labels, found.centres, found.inertia

steps/kmeans has the kernels, from the plain one on: kmeans(points, 5, step="1_thread_per_point").
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np

import warpwise as ww
from room import fastest, takes

FOLDER = Path(__file__).parent / "steps" / "kmeans"
STEPS = tuple(sorted(path.stem for path in FOLDER.glob("*.cu")))
# Called after each iteration with its number, the labels and the centres.
Watcher = Callable[[int, np.ndarray, np.ndarray], None]


@dataclass(frozen=True)
class Clusters:
    """What k-means has found."""

    labels: np.ndarray  # of each point
    centres: np.ndarray  # (clusters, dimensions)
    inertia: float  # the sum of squared distances from each point to its centre
    iterations: int


def _checked(points: Any, clusters: int) -> np.ndarray:
    array = np.ascontiguousarray(points, dtype=np.float32)
    if array.ndim != 2 or not array.size:
        raise ValueError(f"points are an array of (points, dimensions), not of shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("a coordinate is not finite")
    if not 1 <= clusters <= len(array):
        raise ValueError(f"{clusters} clusters of {len(array)} points")
    return array


def start_centres(points: np.ndarray, clusters: int, seed: int = 0) -> np.ndarray:
    """Centres to begin with, far from each other (k-means++): a point is taken with a probability in proportion to its
    squared distance from the nearest centre so far."""
    random = np.random.default_rng(seed)
    centres = [points[random.integers(len(points))]]
    nearest = np.full(len(points), np.inf)
    while len(centres) < clusters:
        nearest = np.minimum(nearest, ((points - centres[-1]).astype(np.float64) ** 2).sum(1))
        total = nearest.sum()
        centres.append(points[random.choice(len(points), p=nearest / total if total else None)])
    return np.array(centres, np.float32)


def inertia_of(points: np.ndarray, labels: np.ndarray, centres: np.ndarray) -> float:
    return float(((points.astype(np.float64) - centres[labels]) ** 2).sum())


def reference(points: Any, clusters: int, start: np.ndarray, most: int = 100) -> Clusters:
    """The same in numpy and double precision, as it is defined."""
    points = _checked(points, clusters).astype(np.float64)
    centres = start.astype(np.float64).copy()
    labels = np.full(len(points), -1)
    for iteration in range(1, most + 1):
        distances = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(2)
        before, labels = labels, distances.argmin(1)
        for c in range(clusters):
            if (labels == c).any():
                centres[c] = points[labels == c].mean(0)
        if (labels == before).all():
            break
    return Clusters(labels.astype(np.int32), centres, inertia_of(points, labels, centres), iteration)


def kmeans(
    points: Any,
    clusters: int,
    *,
    start: np.ndarray | None = None,
    most: int = 100,
    step: str | None = None,
    seed: int = 0,
    watcher: Watcher | None = None,
) -> Clusters:
    """Clusters of points, by the kernels of a step; by the fastest step that takes this size when none is named.

    Ends when no label changes, or after `most` iterations. The same seed gives the same start.
    """
    array = _checked(points, clusters)
    architecture = ww.device().architecture
    step = step or fastest(STEPS, array.shape[1], clusters, architecture)
    if step not in STEPS:
        raise ValueError(f"there is no step `{step}`: {', '.join(STEPS)}")
    if not takes(step, array.shape[1], clusters):
        raise ValueError(f"a block of {step} has no room for {clusters} centres of {array.shape[1]} dimensions")
    if not takes(step, array.shape[1], clusters, architecture):
        raise ValueError(f"{step} is for GPUs of compute capability 9.0, and {ww.device().name} is not")
    begin = start_centres(array, clusters, seed) if start is None else np.asarray(start, np.float32)
    if begin.shape != (clusters, array.shape[1]):
        raise ValueError(f"the start has the shape {begin.shape}, and {(clusters, array.shape[1])} is needed")

    module = ww.load(FOLDER / f"{step}.cu", flags=["-fmad=false"])
    # Memory that host and kernels share: nothing is copied in an iteration.
    coordinates, centres = ww.array(array), ww.array(begin)
    labels = ww.array(np.full(len(array), -1, np.int32))
    sums, counts = ww.zeros((clusters, array.shape[1]), np.float64), ww.zeros(clusters, np.int32)
    changed = ww.zeros(1, np.int32)
    for iteration in range(1, most + 1):
        module.iterate(coordinates, centres, labels, sums, counts, changed, *array.shape, clusters)
        if watcher is not None:
            watcher(iteration, labels, centres)
        if changed[0] == 0:
            break
    return Clusters(labels.copy(), centres.copy(), inertia_of(array, labels, centres), iteration)
