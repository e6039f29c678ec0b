"""Where sites lie: which are neighbours, and colours such that no two neighbours share one.

    domain.grid(480, 640)                      # pixels, row by row; diagonals=True: eight neighbours instead of four
    domain.mesh(triangles)                     # the vertices of triangles, (n, 3) numbers
    domain.of_pairs(sites, pairs)              # any graph: (n, 2) numbers of sites
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Domain:
    """A graph of sites, coloured. The neighbours of site i are neighbours[starts[i]:starts[i + 1]]."""

    starts: np.ndarray
    neighbours: np.ndarray
    colours: np.ndarray
    order: np.ndarray  # the sites, colour by colour
    colour_starts: np.ndarray  # where in `order` each colour begins, and the end

    @property
    def sites(self) -> int:
        return len(self.colours)

    @property
    def pairs(self) -> np.ndarray:
        """Each pair of neighbours once."""
        first = np.repeat(np.arange(self.sites), np.diff(self.starts))
        once = first < self.neighbours
        return np.stack([first[once], self.neighbours[once]], 1)


def of_pairs(sites: int, pairs: Any, colours: np.ndarray | None = None) -> Domain:
    """Of pairs of neighbours, in any order; doubles and pairs of a site with itself are left out."""
    edges = np.asarray(pairs, np.int64).reshape(-1, 2)
    if edges.size and not 0 <= edges.min() <= edges.max() < sites:
        raise ValueError(f"a pair names site {edges.max() if edges.max() >= sites else edges.min()} of {sites}")
    edges = np.sort(edges[edges[:, 0] != edges[:, 1]], 1)
    edges = np.unique(edges, axis=0)
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    starts = np.zeros(sites + 1, np.int64)
    np.cumsum(np.bincount(both[:, 0], minlength=sites), out=starts[1:])
    neighbours = both[:, 1].astype(np.int32)
    if colours is None:
        colours = _colours(starts, neighbours)
    order = np.argsort(colours, kind="stable").astype(np.int32)
    colour_starts = np.concatenate([[0], np.cumsum(np.bincount(colours))]).astype(np.int32)
    return Domain(starts.astype(np.int32), neighbours, colours.astype(np.int32), order, colour_starts)


def _colours(starts: np.ndarray, neighbours: np.ndarray) -> np.ndarray:
    """The first colour that no neighbour has yet, for many sites at once: those that come before all their uncoloured
    neighbours in an order by chance (Jones and Plassmann, A parallel graph coloring heuristic, 1993)."""
    sites = len(starts) - 1
    rank = np.random.default_rng(0).permutation(sites)
    first = np.repeat(np.arange(sites), np.diff(starts))
    colours = np.full(sites, -1)
    while (colours < 0).any():
        open_edges = (colours[first] < 0) & (colours[neighbours] < 0)
        waits = np.zeros(sites, bool)
        waits[first[open_edges & (rank[neighbours] < rank[first])]] = True
        ready = (colours < 0) & ~waits
        taken = np.zeros((sites, int(colours.max()) + 2), bool)
        seen = ready[first] & (colours[neighbours] >= 0)
        taken[first[seen], colours[neighbours[seen]]] = True
        colours[ready] = taken[ready].argmin(1)
    return colours


def grid(height: int, width: int, diagonals: bool = False) -> Domain:
    """Pixels, row by row, with four neighbours and two colours, or with eight and four."""
    number = np.arange(height * width).reshape(height, width)
    pairs = [(number[:, :-1], number[:, 1:]), (number[:-1], number[1:])]
    if diagonals:
        pairs += [(number[:-1, :-1], number[1:, 1:]), (number[:-1, 1:], number[1:, :-1])]
    row, column = np.divmod(number.ravel(), width)
    colours = row % 2 * 2 + column % 2 if diagonals else (row + column) % 2
    return of_pairs(number.size, np.concatenate([np.stack([a.ravel(), b.ravel()], 1) for a, b in pairs]), colours)


def mesh(triangles: Any, sites: int | None = None) -> Domain:
    """The vertices of triangles: those of one triangle are neighbours."""
    corners = np.asarray(triangles).reshape(-1, 3)
    pairs = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    return of_pairs(int(corners.max()) + 1 if sites is None else sites, pairs)
