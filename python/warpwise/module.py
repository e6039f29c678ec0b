"""`load`: a CUDA source as a module of functions."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import threading
import time
import warnings
from pathlib import Path
from typing import Any, Iterator, Sequence, Union

from . import _gpu
from ._native import LIB, Source, check
from .errors import SetupError
from .functions import HostFunction, Kernel
from .signatures import Signature

Function = Union[Kernel, HostFunction]

# File systems stamp in steps of at most 10 ms. A source that is as young as its compilation is not kept in the cache,
# because it might change once more within the step.
_CLOCK_TICK = 0.011


class Module:
    """The functions of one source, as attributes and by name: module.scale, module["steps::first"]."""

    def __init__(self, path: Path, flags: Sequence[str], functions: Sequence[str] = ()) -> None:
        self.path = path
        self.name = path.name
        self.flags = tuple(flags)
        self._asked = tuple(functions)
        self._loading = threading.Lock()
        self._handles: dict[tuple[bool, int], int] = {}  # by what they are compiled for (Gpu.variant)
        self._describe(self._library(_gpu.current().variant))

    def _describe(self, handle: int) -> None:
        """Reads what the library says of its functions."""
        described = json.loads(LIB.ww_library_functions(handle))
        self.messages: str = described["messages"]
        if self.messages:
            warnings.warn(f"{self.name}: {self.messages}", stacklevel=4)
        self.left_out: dict[str, str] = {l["name"]: l["why"] for l in described["left_out"]}
        self._functions: dict[str, Function] = {}
        for index, function in enumerate(described["functions"]):
            signature = Signature.from_json(function)
            kind = Kernel if signature.kernel else HostFunction
            self._functions[signature.name] = kind(self, index, signature)

    def _library(self, variant: tuple[bool, int]) -> int:
        return self._handles.get(variant) or self._load(variant)

    def _load(self, variant: tuple[bool, int]) -> int:
        with self._loading:
            if variant not in self._handles:
                flags, functions = _texts(self.flags), _texts(self._asked)
                source = Source(
                    os.fsencode(self.path), flags, len(self.flags), int(variant[0]), functions, len(self._asked)
                )
                handle = ctypes.c_void_p()
                check(LIB.ww_library_load(_gpu.current().handle, ctypes.byref(source), ctypes.byref(handle)))
                self._handles[variant] = handle.value or 0
            return self._handles[variant]

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __getitem__(self, name: str) -> Function:
        if name in self._functions:
            return self._functions[name]
        if name in self.left_out:
            raise KeyError(f"`{name}` of {self.name} cannot be called: {self.left_out[name]}")
        offered = ", ".join(self._functions) or "none: a function is __global__, or extern \"C\" and not static"
        raise KeyError(f"{self.name} has no function `{name}`; it has {offered}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __contains__(self, name: object) -> bool:
        return name in self._functions

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._functions]

    def __repr__(self) -> str:
        lines = [f"  {function.signature}" for function in self._functions.values()]
        return "\n".join([f"<module {self.name}>", *lines])


def _texts(words: tuple[str, ...]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(words))(*(word.encode() for word in words))


def _sources_folder() -> Path:
    cache = os.environ.get("WARPWISE_CACHE_DIR")
    if not cache:
        cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "warpwise")
    return Path(cache) / "python"


def _file_of(source: str, name: str) -> Path:
    """A text as a file: compilers, the cache and findings all need one, the same each time."""
    if Path(name).name != name or not name:
        raise SetupError(f"`{name}` cannot be the name of a source: it takes a file name without folders")
    folder = _sources_folder() / hashlib.sha256(source.encode()).hexdigest()[:16]
    path = folder / name
    if not path.exists() or path.read_text() != source:
        folder.mkdir(parents=True, exist_ok=True)
        beside = folder / f".{os.getpid()}.{threading.get_ident()}"
        beside.write_text(source)
        beside.replace(path)
        time.sleep(_CLOCK_TICK)
    return path


def load(
    path: str | os.PathLike[str] | None = None,
    *,
    source: str | None = None,
    flags: Sequence[str] = (),
    functions: Sequence[str] = (),
    name: str = "kernel.cu",
) -> Module:
    """Compiles a CUDA source, a file or a text, and gives its functions.

    `flags` are the compiler's in nvcc's language: ["-DTILE=16", "-O3", "-Iinclude"]. `functions` names host functions to
    give although they are not extern "C". `name` stands for a text in messages.
    What has been compiled before is found in the cache.
    """
    if (path is None) == (source is None):
        raise SetupError("ww.load takes a path, or source= with the text")
    if source is not None:
        return Module(_file_of(source, name), flags, functions)
    return Module(Path(os.path.abspath(os.fspath(path or ""))), flags, functions)


__all__ = ["Function", "Module", "load"]
