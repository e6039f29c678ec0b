"""A Gaussian mixture with a Potts prior by CUDA kernels: sites with values fall into clusters, and neighbours tend to share
one; with a plain reference.

    import domain, potts
    found = potts.mixture(image.reshape(-1, 3), domain.grid(480, 640), clusters=4, beta=1.5)
    found.labels, found.means, found.variances, found.energy

steps/potts has the kernels, and potts.cuh the energy that they make smaller.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np

import kmeans
import warpwise as ww
from domain import Domain

FOLDER = Path(__file__).parent / "steps" / "potts"
STEPS = tuple(sorted(path.stem for path in FOLDER.glob("*.cu")))
_SHARED_MEMORY = 48 << 10  # of a block, without asking for more

# Called after each sweep, and each change of the parameters, with what was done ("fit" or "sweep"), the labels and the energy.
Watcher = Callable[[str, np.ndarray, float], None]


@dataclass(frozen=True)
class Segments:
    """What the mixture has found."""

    labels: np.ndarray  # of each site
    means: np.ndarray  # (clusters, channels)
    variances: np.ndarray  # (clusters, channels)
    energy: float
    sweeps: int


@dataclass(frozen=True)
class _Problem:
    values: np.ndarray
    start: np.ndarray
    least: float


def _checked(values: Any, where: Domain, clusters: int, beta: float, start: Any, least: float | None) -> _Problem:
    array = np.ascontiguousarray(values, dtype=np.float32)
    if array.ndim != 2 or not array.size:
        raise ValueError(f"values are an array of (sites, channels), not of shape {array.shape}")
    if len(array) != where.sites:
        raise ValueError(f"values of {len(array)} sites, and the domain has {where.sites}")
    if not np.isfinite(array).all():
        raise ValueError("a value is not finite")
    if not 1 <= clusters <= len(array):
        raise ValueError(f"{clusters} clusters of {len(array)} sites")
    if clusters * (array.shape[1] * 8 + 4) > _SHARED_MEMORY:
        raise ValueError(f"{clusters} clusters of {array.shape[1]} channels are more than shared memory holds")
    if not (np.isfinite(beta) and beta >= 0):
        raise ValueError(f"a beta of {beta}")
    labels = kmeans.kmeans(array, clusters).labels if start is None else np.array(start, np.int32).reshape(-1)
    if labels.shape != (len(array),) or not 0 <= labels.min() <= labels.max() < clusters:
        raise ValueError(f"the start is a label from 0 to {clusters - 1} for each of {len(array)} sites")
    if least is None:
        least = 1e-4 * float(array.astype(np.float64).var(0).mean()) or 1.0
    if not least > 0:
        raise ValueError(f"a least variance of {least}")
    return _Problem(array, labels, least)


class _Reference:
    """The model in numpy, as it is defined."""

    def __init__(self, problem: _Problem, where: Domain, clusters: int, beta: float) -> None:
        self.values, self.where, self.beta = problem.values.astype(np.float64), where, beta
        self.least = problem.least
        self.means, self.variances = np.zeros((2, clusters, self.values.shape[1]))
        self.variances += 1

    def fit(self, labels: np.ndarray) -> None:
        for k in np.unique(labels):
            of_cluster = self.values[labels == k]
            self.means[k] = of_cluster.mean(0)
            self.variances[k] = np.maximum(((of_cluster - self.means[k]) ** 2).mean(0), self.least)

    def terms(self) -> np.ndarray:
        terms = np.tile(0.5 * np.log(self.variances).sum(1), (len(self.values), 1))
        for c in range(self.values.shape[1]):
            along = self.values[:, c, None] - self.means[:, c]
            terms += along * along * (0.5 / self.variances[:, c])
        return terms

    def energy(self, labels: np.ndarray) -> float:
        a, b = self.where.pairs.T
        unlike = int((labels[a] != labels[b]).sum())
        return float(self.terms()[np.arange(len(labels)), labels].sum()) + self.beta * unlike

    def sweep(self, labels: np.ndarray) -> int:
        """Gives each site the label that is best for it, colour by colour; how many have changed."""
        starts, neighbours, terms, changed = self.where.starts, self.where.neighbours, self.terms(), 0
        for colour in range(len(self.where.colour_starts) - 1):
            for_sites = self.where.order[self.where.colour_starts[colour] : self.where.colour_starts[colour + 1]]
            energies = terms[for_sites]
            for row, site in enumerate(for_sites):
                around = labels[neighbours[starts[site] : starts[site + 1]]]
                energies[row] += self.beta * (len(around) - np.bincount(around, minlength=energies.shape[1]))
            present = labels[for_sites]
            best = energies.argmin(1)
            rows = np.arange(len(for_sites))
            best = np.where(energies[rows, best] < energies[rows, present], best, present)
            labels[for_sites] = best
            changed += int((best != present).sum())
        return changed


def reference(
    values: Any,
    where: Domain,
    clusters: int,
    beta: float = 1.0,
    *,
    start: Any = None,
    sweeps: int = 4,
    most: int = 100,
    least_variance: float | None = None,
) -> Segments:
    """The same in numpy, as it is defined."""
    problem = _checked(values, where, clusters, beta, start, least_variance)
    model = _Reference(problem, where, clusters, beta)
    labels, made = problem.start.copy(), 0
    while made < most:
        model.fit(labels)
        changes = []
        while not changes or (changes[-1] and len(changes) < sweeps):
            changes.append(model.sweep(labels))
        made += len(changes)
        if changes == [0]:
            break
    return Segments(labels, model.means, model.variances, model.energy(labels), made)


def mixture(
    values: Any,
    where: Domain,
    clusters: int,
    beta: float = 1.0,
    *,
    start: Any = None,
    sweeps: int = 4,
    most: int = 100,
    least_variance: float | None = None,
    step: str | None = None,
    watcher: Watcher | None = None,
) -> Segments:
    """Clusters of sites, by the kernels of a step, the last one when none is named.

    `values`: (sites, channels), numpy or a tensor of the CPU. `beta`: what a pair of unlike neighbours costs; 0 leaves out
    the prior. `start`: labels to begin with, instead of those of k-means. After each change of the parameters come up to
    `sweeps` sweeps. Ends when neither changes a label, or after `most` sweeps.
    """
    problem = _checked(values, where, clusters, beta, start, least_variance)
    step = step or STEPS[-1]
    if step not in STEPS:
        raise ValueError(f"there is no step `{step}`: {', '.join(STEPS)}")
    module = ww.load(FOLDER / f"{step}.cu", flags=["-fmad=false"], functions=["fit", "measure"])
    # Memory that host and kernels share: nothing is copied between the calls.
    sites, channels = problem.values.shape
    given = (ww.array(problem.values), sites, channels, clusters)
    # An array has an element at least, and sites may have no neighbours.
    starts, neighbours = ww.array(where.starts), ww.array(np.append(where.neighbours, np.int32(0)))
    colours, order = ww.array(where.colours), ww.array(where.order)
    labels, changed = ww.array(problem.start), ww.zeros(1, np.int32)
    parameters = ww.zeros(clusters * (2 * channels + 1), np.float64)
    variances, sums = ww.array(np.ones((clusters, channels))), ww.zeros((clusters, channels), np.float64)
    counts, energy = ww.zeros(2 * clusters, np.int32), ww.zeros(2, np.float64)
    terms = ww.zeros(module.work_size(sites, clusters), np.float64)

    def measured() -> float:
        module.measure(*given, starts, neighbours, beta, parameters, labels, energy)
        return float(energy.sum())

    def done(what: str) -> None:
        if watcher is not None:
            watcher(what, labels, measured())

    def sweep() -> int:
        changed[0] = 0
        for colour, (first, end) in enumerate(zip(where.colour_starts, where.colour_starts[1:])):
            if first < end:
                place = (colour, int(first), int(end - first))
                module.visit(*given, starts, neighbours, beta, parameters, terms, colours, order, *place, labels, changed)
        return int(changed[0])

    made = 0
    while made < most:
        module.fit(*given, labels, problem.least, parameters, variances, sums, counts)
        module.prepare(*given, order, parameters, terms)
        done("fit")
        changes: list[int] = []
        while not changes or (changes[-1] and len(changes) < sweeps):
            changes.append(sweep())
            done("sweep")
        made += len(changes)
        if changes == [0]:
            break
    means = parameters[: clusters * channels].reshape(clusters, channels)
    return Segments(labels.copy(), means.copy(), variances.copy(), measured(), made)
