"""Pictures of clusters while they form, and PNG files of them without a library.

    frames = []
    kmeans.kmeans(points, 5, watcher=lambda i, labels, centres: frames.append(pictures.points(points, labels, centres)))
    pictures.write_png("forming.png", pictures.strip(frames))

A picture is an array of (height, width, 3) bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Sequence

import numpy as np

from warpwise.png import encode

_GROUND, _NOISE = 24, 90


def colours(clusters: int) -> np.ndarray:
    """A colour for each cluster, around the circle of hues, so that numbers beside each other differ much."""
    golden = 0.61803398875
    hue = (np.arange(clusters) * golden % 1)[:, None] * 2 * np.pi + np.array([0, 2, 4]) * np.pi / 3
    return (150 + 100 * np.cos(hue)).astype(np.uint8)


def _coloured(labels: np.ndarray) -> np.ndarray:
    known = np.concatenate([colours(max(int(labels.max()) + 1, 1)), np.full((1, 3), _NOISE, np.uint8)])
    return known[np.where(labels < 0, len(known) - 1, labels)]


def points(at: np.ndarray, labels: np.ndarray, centres: np.ndarray | None = None, size: int = 320) -> np.ndarray:
    """Points of a plane in the colours of their clusters, noise in grey, and centres as white squares."""
    low, high = at.min(0), at.max(0)

    def pixels(of: np.ndarray) -> np.ndarray:
        return np.clip((of - low) / np.maximum(high - low, 1e-30) * (size - 9) + 4, 0, size - 1).astype(int)

    image = np.full((size, size, 3), _GROUND, np.uint8)
    x, y = pixels(at).T
    for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)) if size >= 200 else ((0, 0),):
        image[np.clip(size - 1 - y + dy, 0, size - 1), np.clip(x + dx, 0, size - 1)] = _coloured(labels)
    for cx, cy in pixels(centres) if centres is not None else ():
        image[max(0, size - 4 - cy) : size + 2 - cy, max(0, cx - 2) : cx + 4] = 255
    return image


def grid(labels: np.ndarray, height: int, width: int, scale: int = 2) -> np.ndarray:
    """Labels of a grid, a square for each site."""
    return _coloured(labels).reshape(height, width, 3).repeat(scale, 0).repeat(scale, 1)


def grey(values: np.ndarray, height: int, width: int, scale: int = 2) -> np.ndarray:
    """Values of a grid, from black to white."""
    low, high = float(values.min()), float(values.max())
    shades = ((values.reshape(height, width) - low) / max(high - low, 1e-30) * 255).astype(np.uint8)
    return np.repeat(shades[:, :, None], 3, 2).repeat(scale, 0).repeat(scale, 1)


def triangles(at: np.ndarray, corners: np.ndarray, labels: np.ndarray, size: int = 320) -> np.ndarray:
    """A mesh in a plane: each point of a triangle has the colour of the nearest corner."""
    low, high = at.min(0), at.max(0)
    where = (at - low) / np.maximum((high - low).max(), 1e-30) * (size - 9) + 4
    colour = _coloured(labels)
    image = np.full((size, size, 3), _GROUND, np.uint8)
    for triangle in corners:
        a, b, c = where[triangle]
        begin, end = np.floor(np.min([a, b, c], 0)).astype(int), np.ceil(np.max([a, b, c], 0)).astype(int) + 1
        x, y = np.meshgrid(np.arange(begin[0], end[0]), np.arange(begin[1], end[1]))
        area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        if area == 0:
            continue
        of_b = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area
        of_c = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area
        weights = np.stack([1 - of_b - of_c, of_b, of_c])
        inside = (weights >= -1e-9).all(0)
        image[size - 1 - y[inside], x[inside]] = colour[triangle[weights.argmax(0)[inside]]]
    return image


def strip(frames: Sequence[np.ndarray], most: int = 6, gap: int = 6) -> np.ndarray:
    """Pictures of one size side by side: the first, the last, and some between."""
    chosen = np.unique(np.linspace(0, len(frames) - 1, min(most, len(frames))).round().astype(int))
    height = frames[0].shape[0]
    between = np.full((height, gap, 3), 255, np.uint8)
    parts = [part for i in chosen for part in (between, frames[i])][1:]
    return np.concatenate(parts, 1)


def png(image: np.ndarray) -> bytes:
    """The picture as a PNG file."""
    height, width, channels = image.shape
    return encode(width, height, channels, np.ascontiguousarray(image, np.uint8).tobytes())


def write_png(path: str | Path, image: np.ndarray) -> None:
    Path(path).write_bytes(png(image))
