"""DBSCAN by CUDA kernels: clusters of any shape where points lie densely, and noise elsewhere; with a plain reference.

    import dbscan
    found = dbscan.dbscan(points, reach=0.3, least=5)    # points: (n, dimensions), numpy or a tensor of the CPU
    found.labels, found.cores, found.clusters            # labels: -1 for noise

steps/dbscan has the kernels. Labels are those of scikit-learn's DBSCAN(eps=reach, min_samples=least) wherever no distance is
so near to the reach that single precision decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np

import warpwise as ww

FOLDER = Path(__file__).parent / "steps" / "dbscan"
STEPS = tuple(sorted(path.stem for path in FOLDER.glob("*.cu")))
_NO_ROOT = -1
_MOST_NUMBERS = (1 << 31) - 1  # of coordinates: kernels count in 32 bits

# Called after each pass with its number, and for each point the smallest core of its cluster so far; -1: it is no core.
Watcher = Callable[[int, np.ndarray], None]


@dataclass(frozen=True)
class Clusters:
    """What DBSCAN has found."""

    labels: np.ndarray  # of each point; -1 is noise
    cores: np.ndarray  # whether a point is a core
    clusters: int
    passes: int  # over the pairs of cores


def _checked(points: Any, reach: float, least: int) -> tuple[np.ndarray, np.float32]:
    array = np.ascontiguousarray(points, dtype=np.float32)
    if array.ndim != 2 or not array.size or array.size > _MOST_NUMBERS:
        raise ValueError(f"points are an array of (points, dimensions), not of shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("a coordinate is not finite")
    single = np.float32(reach)
    if not (single > 0 and 0 < single * single < np.inf):
        raise ValueError(f"a reach of {reach}")
    if least < 1:
        raise ValueError(f"{least} points near a core, which counts itself")
    return array, single


def reference(points: Any, reach: float, least: int) -> Clusters:
    """The same in numpy, as it is defined."""
    array, single = _checked(points, reach, least)
    square = np.zeros((len(array), len(array)), np.float32)
    for d in range(array.shape[1]):
        along = array[:, None, d] - array[None, :, d]
        square += along * along
    near = square <= single * single
    cores = near.sum(1) >= least
    labels = np.full(len(array), -1, np.int32)
    clusters = 0
    for first in np.flatnonzero(cores):
        if labels[first] >= 0:
            continue
        labels[first] = clusters
        waiting = [first]
        while waiting:
            core = waiting.pop()
            found = np.flatnonzero(near[core] & (labels < 0))
            labels[found] = clusters
            waiting += list(found[cores[found]])
        clusters += 1
    return Clusters(labels, cores, clusters, 1)


def dbscan(
    points: Any, reach: float, least: int = 5, *, step: str | None = None, watcher: Watcher | None = None
) -> Clusters:
    """Clusters of points, by the kernels of a step, the last one when none is named.

    `reach`: points up to this distance are near. `least`: so many near points, itself included, make a point a core.
    """
    array, single = _checked(points, reach, least)
    step = step or STEPS[-1]
    if step not in STEPS:
        raise ValueError(f"there is no step `{step}`: {', '.join(STEPS)}")
    module = ww.load(FOLDER / f"{step}.cu", flags=["-fmad=false"])
    # Memory that host and kernels share: nothing is copied between the calls.
    roots, labels, changed = (ww.zeros(size, np.int32) for size in (len(array), len(array), 1))
    problem = (ww.array(array), *array.shape, float(single), least)
    work = ww.zeros(module.work_size(*array.shape), np.int32)
    module.find_cores(*problem, roots, work)
    cores = roots != _NO_ROOT
    passes, again = 0, True
    while again:
        changed[0] = 0
        module.join(*problem, roots, work, changed)
        passes += 1
        if watcher is not None:
            watcher(passes, roots)
        again = changed[0] != 0
    module.give_labels(*problem, roots, work, labels)
    return Clusters(labels.copy(), np.array(cores), int(labels.max()) + 1, passes)
