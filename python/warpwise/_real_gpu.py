"""Arrays on a real GPU in a call: the function runs there, beside the library that made them.

A CUDA tensor says where: its memory cannot be used anywhere else. The call goes to NVIDIA's driver on the stream that the
tensor's library uses now, and returns as soon as its work is submitted there, as a call of PyTorch does. While a watch is on
(`ww.check()`, `ww.profile()`, `ww.trace()`), values go to the virtual GPU and back instead (_lent.py): a real one neither
checks nor counts.
"""

from __future__ import annotations

import sys
from typing import Any

from ._native import ADDRESS, ARGUMENT, READ, READ_WRITE
from .errors import ArgumentError


class OnGpu:
    """An argument that is in memory of a real GPU."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def ordinal(self) -> int:
        """The GPU's number."""
        device = getattr(self.value, "device", None)
        for name in ("index", "id"):  # torch, CuPy
            number = getattr(device, name, None)
            if isinstance(number, int):
                return number
        return 0

    def stream(self, ordinal: int) -> int:
        """The CUstream that its library uses now."""
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(self.value, torch.Tensor):
            return int(torch.cuda.current_stream(ordinal).cuda_stream)
        # The CUDA array interface, version 3; 1 is the legacy default stream.
        stream = getattr(self.value, "__cuda_array_interface__", {}).get("stream")
        return 0 if stream in (None, 1) else int(stream)


def place_of(keeps: list[Any], name: str, of_kernel: bool) -> tuple[int, int]:
    """The GPU's number, and a stream: of a call whose arrays are `keeps`. A host function may get arrays of the CPU, too,
    for its host code to use."""
    arrays = [kept for kept in keeps if type(kept) is OnGpu]
    if of_kernel and len(arrays) != len(keeps):
        raise ArgumentError(f"`{name}` got arrays on a real GPU and arrays of the CPU: all of a kernel's are in one place")
    ordinals = {array.ordinal() for array in arrays}
    if len(ordinals) > 1:
        raise ArgumentError(f"`{name}` got arrays on GPUs {sorted(ordinals)}: all of them are in one place")
    ordinal = ordinals.pop()
    return ordinal, arrays[0].stream(ordinal)


def as_addresses(packed: bytes) -> bytes:
    """Arguments whose arrays are passed by their own addresses."""
    kinds = (READ, READ_WRITE)
    return b"".join(
        ARGUMENT.pack(value, size, ADDRESS if kind in kinds else kind)
        for value, size, kind in ARGUMENT.iter_unpack(packed)
    )
