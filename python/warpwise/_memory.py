"""Arrays in memory that kernels use in place.

Ordinary arrays are copied to the GPU and back with each call: their memory shares its pages with other objects of the
interpreter, and a kernel that wrote past their end would break those. Arrays made here have pages of their own.
"""

from __future__ import annotations

import ctypes
import math
import weakref
from typing import TYPE_CHECKING, Any, Sequence, Union

from ._gpu import Gpu, current
from ._native import LIB, check

if TYPE_CHECKING:
    import numpy as np

Shape = Union[int, Sequence[int]]


def _release(gpu: Gpu, address: int) -> None:
    check(LIB.ww_pages_free(gpu.handle, address))


class _Pages:
    """Pages that are freed with the last array that uses them."""

    def __init__(self, size: int) -> None:
        gpu = current()
        address = ctypes.c_void_p()
        check(LIB.ww_pages_allocate(gpu.handle, size, ctypes.byref(address)))
        self.buffer = (ctypes.c_char * size).from_address(address.value or 0)
        release = weakref.finalize(self.buffer, _release, gpu, address.value)
        release.atexit = False  # the process gives memory back by itself


def empty(shape: Shape, dtype: Any = "float32") -> np.ndarray[Any, Any]:
    """A new array that host and kernels use in place; it starts as zeros."""
    import numpy as np

    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    kind = np.dtype(dtype)
    count = math.prod(sizes)
    if count == 0:
        return np.empty(sizes, kind)
    pages = _Pages(count * kind.itemsize)
    return np.frombuffer(pages.buffer, kind, count).reshape(sizes)


def zeros(shape: Shape, dtype: Any = "float32") -> np.ndarray[Any, Any]:
    """An array of zeros that host and kernels use in place."""
    return empty(shape, dtype)


def array(values: Any, dtype: Any = None) -> np.ndarray[Any, Any]:
    """A copy of `values` that host and kernels use in place."""
    import numpy as np

    source = np.asarray(values, dtype)
    made = empty(source.shape, source.dtype)
    made[...] = source
    return made
