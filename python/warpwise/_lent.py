"""CUDA tensors in a watched call: their values go to the virtual GPU, which can check, count and record, and what it has
written comes back, by way of the host.

    x (cuda:0)  ── .cpu() ──►  x (host)  ── as any array ──►  the virtual GPU

Both copies are on PyTorch's current stream of the tensor's device: the first waits for what was submitted there before the
call, and what is submitted after the call finds the results. So an operator is checked inside of a model that lives on a
real GPU. Without a watch the function runs there (_real_gpu.py).
"""

from __future__ import annotations

from typing import Any

from .errors import ArgumentError


class Lent:
    """A tensor's values in memory of the host, for one call."""

    def __init__(self, tensor: Any, size: int, written: bool) -> None:
        self.tensor, self.written = tensor, written
        self.begin, self.end = tensor.data_ptr(), tensor.data_ptr() + size
        self.host = tensor.detach().cpu()


def lend(tensor: Any, size: int, written: bool, subject: str, keeps: list[Any]) -> int:
    """Where on the host the values are. `keeps`: what the call's other arguments have lent."""
    begin = tensor.data_ptr()
    for other in keeps:
        if type(other) is not Lent or begin >= other.end or begin + size <= other.begin:
            continue
        if (begin, begin + size) != (other.begin, other.end):
            raise ArgumentError(
                f"{subject} overlaps another argument, and both are on `{tensor.device}`: tensors that overlap are passed "
                "from the CPU (`.cpu()`)"
            )
        other.written |= written
        return int(other.host.data_ptr())
    lent = Lent(tensor, size, written)
    keeps.append(lent)
    return int(lent.host.data_ptr())


def give_back(keeps: list[Any]) -> None:
    """After the call."""
    for lent in keeps:
        if type(lent) is Lent and lent.written:
            lent.tensor.detach().copy_(lent.host)
