"""`load_ptx`: a PTX text as a module of kernels."""

from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Sequence

from . import _gpu
from ._native import LIB, check
from .errors import SetupError
from .module import Module, _texts


def _load_library(text: str, name: str, parameters: Sequence[str] = ()) -> int:
    names = _texts(tuple(parameters))
    handle = ctypes.c_void_p()
    gpu = _gpu.current().handle
    check(LIB.ww_library_load_ptx(gpu, text.encode(), name.encode(), names, len(names), ctypes.byref(handle)))
    return handle.value or 0


def registers_of(kernel: str, text: str) -> int:
    """An estimate of the registers of a thread of a kernel of the PTX text."""
    library = _load_library(text, f"{kernel}.ptx")
    functions = json.loads(LIB.ww_library_functions(library))["functions"]
    LIB.ww_library_close(library)
    return int(next(function["registers"] for function in functions if function["name"] == kernel))


class PtxModule(Module):
    """The entries of a PTX text. PTX is run as it is, under the checkers, too."""

    def __init__(self, text: str, path: Path, parameters: Sequence[str]) -> None:
        self.path = path
        self.name = path.name
        self.flags = ()
        self._handle = _load_library(text, self.name, parameters)
        self._describe(self._handle)

    def _library(self, variant: tuple[bool, int]) -> int:
        return self._handle


def load_ptx(
    path: str | os.PathLike[str] | None = None,
    *,
    source: str | None = None,
    parameters: Sequence[str] = (),
    name: str = "kernel.ptx",
) -> PtxModule:
    """The kernels of a PTX file or text, as Python functions.

    Parameters of PTX have a size and hardly a type: one of 64 bits takes an array or a number. `parameters` names them,
    for messages and findings.
    """
    if (path is None) == (source is None):
        raise SetupError("ww.load_ptx takes a path, or source= with the text")
    if source is not None:
        return PtxModule(source, Path(name), parameters)
    file = Path(os.path.abspath(os.fspath(path or "")))
    return PtxModule(file.read_text(), file, parameters)


__all__ = ["PtxModule", "load_ptx"]
