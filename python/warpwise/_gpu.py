"""The GPU of the process: opened when it is first needed, or earlier, with options."""

from __future__ import annotations

import ctypes
import json
import sys
import threading
from dataclasses import dataclass
from typing import Any

from . import errors
from ._native import LIB, check, take_text


@dataclass(frozen=True)
class DeviceInfo:
    """The GPU that is modelled."""

    id: str
    name: str
    architecture: int
    multiprocessors: int
    memory_bytes: int


class Gpu:
    """A handle of the C interface, and what watches it."""

    def __init__(self, options: dict[str, Any]) -> None:
        handle = ctypes.c_void_p()
        check(LIB.ww_gpu_open(json.dumps(options).encode(), ctypes.byref(handle)))
        self.handle = handle.value
        self.watched = False
        self.variant = (False, 0)
        self._look(checking=False)
        self.info = self._present

    def _look(self, checking: bool) -> None:
        """What modules are compiled for from here on: for the checkers or not, and the architecture."""
        self._present = DeviceInfo(**json.loads(LIB.ww_gpu_properties(self.handle)))
        self.variant = (checking, self._present.architecture)

    def watch(self, what: dict[str, Any]) -> None:
        check(LIB.ww_gpu_watch(self.handle, json.dumps(what).encode()))
        self.watched = True
        self._look(checking="check" in what)

    def report(self) -> tuple[str, str]:
        """Ends the watch: the report as text and as JSON."""
        text, as_json = ctypes.c_void_p(), ctypes.c_void_p()
        self.watched = False
        try:
            check(LIB.ww_gpu_report(self.handle, ctypes.byref(text), ctypes.byref(as_json)))
        finally:
            self._look(checking=False)
        return take_text(text.value), take_text(as_json.value)

    @property
    def generation(self) -> int:
        """Rises when another GPU takes the place of this one: for a watch, after it, and after a failed kernel."""
        return int(LIB.ww_gpu_generation(self.handle))

    def name_memory(self, address: int, name: str) -> None:
        """What findings call an allocation."""
        LIB.ww_gpu_name_memory(self.handle, address, name.encode())

    def recover(self) -> None:
        """Raises the error of a kernel that has failed since the last call; the GPU is as new then."""
        check(LIB.ww_gpu_recover(self.handle))

    def show_printed(self) -> None:
        """What kernels have printed goes to sys.stdout, which in a notebook is the cell's output."""
        sys.stdout.write(take_text(LIB.ww_gpu_printed(self.handle)))


_opening = threading.Lock()
_gpu: Gpu | None = None


def is_watched() -> bool:
    """Whether a check, a profile or a recording is under way."""
    return _gpu is not None and _gpu.watched


def current() -> Gpu:
    """The GPU; opens it with the defaults when there is none."""
    global _gpu
    if _gpu is None:
        with _opening:
            if _gpu is None:
                _gpu = Gpu({})
    return _gpu


def open_gpu(device: str = "h100", **options: Any) -> DeviceInfo:
    """Chooses the GPU, before anything uses one.

    `device` is a name of `warpwise devices`, or a device file; further options are those of docs/engine_options.md, with
    underscores: `ww.open_gpu("a100", timeout=10, schedule="shuffle:1")`.
    """
    global _gpu
    with _opening:
        if _gpu is not None:
            raise errors.SetupError(
                f"the GPU of this process is open already ({_gpu.info.name}): call ww.open_gpu() before ww.load()"
            )
        _gpu = Gpu({"device": device, **options})
    return _gpu.info


def device() -> DeviceInfo:
    """The GPU that calls run on."""
    return current().info
