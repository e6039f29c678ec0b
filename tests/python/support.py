"""What the tests share: libraries that may be missing."""

from __future__ import annotations

import importlib.util
import unittest
from types import SimpleNamespace
from typing import Any


def needs(*libraries: str) -> Any:
    """Skips a test where a library of Python is not installed."""
    missing = [name for name in libraries if importlib.util.find_spec(name) is None]
    packages = ", ".join(f"python3-{name.lower()}" for name in missing)
    return unittest.skipIf(missing, f"{packages} is not installed")


class FloatsOnGpu:
    """A contiguous float tensor of GPU 0, as far as a call looks at it; where its memory is, a subclass says."""

    def __init__(self, count: int) -> None:
        self.count, self.dtype, self.shape = count, "torch.float32", (count,)
        self.device = SimpleNamespace(type="cuda", index=0)

    def numel(self) -> int:
        return self.count

    def element_size(self) -> int:
        return 4

    def is_contiguous(self) -> bool:
        return True
