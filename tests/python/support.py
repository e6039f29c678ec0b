"""What the tests share: libraries that may be missing."""

from __future__ import annotations

import importlib.util
import unittest
from typing import Any


def needs(*libraries: str) -> Any:
    """Skips a test where a library of Python is not installed."""
    missing = [name for name in libraries if importlib.util.find_spec(name) is None]
    packages = ", ".join(f"python3-{name.lower()}" for name in missing)
    return unittest.skipIf(missing, f"{packages} is not installed")
