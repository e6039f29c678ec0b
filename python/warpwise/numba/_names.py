"""Findings name arrays by the parameters of the Python function, as they do for CUDA sources."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.cuda import dispatcher

from .. import _gpu

_DATA = 4  # of an array's arguments in a launch: owner, parent, items, bytes of an item, address, ...


def _parameters(kernel: Any) -> list[str]:
    function = getattr(kernel, "py_func", None)  # a kernel from Numba's cache has none
    code = getattr(function, "__code__", None)
    return list(code.co_varnames[: code.co_argcount]) if code else []


def install() -> None:
    kernel = dispatcher._Kernel
    usual_launch, usual_prepare = kernel.launch, kernel._prepare_args

    def launch(self: Any, *arguments: Any, **named: Any) -> Any:
        self._ww_names = _parameters(self) if _gpu.current().watched else None
        return usual_launch(self, *arguments, **named)

    def prepare(self: Any, kind: Any, value: Any, stream: Any, retr: Any, kernelargs: Any) -> None:
        names, self._ww_names = getattr(self, "_ww_names", None), None  # members of tuples have no names
        begin = len(kernelargs)
        usual_prepare(self, kind, value, stream, retr, kernelargs)
        if names:
            name = names.pop(0)
            if isinstance(kind, types.Array) and len(kernelargs) > begin + _DATA:
                _gpu.current().name_memory(kernelargs[begin + _DATA].value or 0, name)
            self._ww_names = names

    kernel.launch, kernel._prepare_args = launch, prepare
