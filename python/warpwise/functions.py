"""The functions of a module: kernels, which need a grid and a block, and host functions, which are called as they are."""

from __future__ import annotations

import ctypes
import inspect
from typing import TYPE_CHECKING, Any, Sequence, Union

from . import _gpu
from ._arguments import converters
from ._lent import Lent, give_back
from ._native import LIB, Launch, check
from ._real_gpu import OnGpu, as_addresses, place_of
from .errors import ArgumentError
from .signatures import Signature

if TYPE_CHECKING:
    from .module import Module

Size = Union[int, Sequence[int]]

_call = LIB.ww_call

_RESULTS: dict[str, Any] = {
    "bool": ctypes.c_bool,
    "int8": ctypes.c_int8,
    "int16": ctypes.c_int16,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "uint8": ctypes.c_uint8,
    "uint16": ctypes.c_uint16,
    "uint32": ctypes.c_uint32,
    "uint64": ctypes.c_uint64,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
}


def _sizes(size: Size, what: str, name: str) -> tuple[int, int, int]:
    """A grid or a block: one, two or three numbers."""
    try:
        sizes = [int(size)] if isinstance(size, int) or not hasattr(size, "__iter__") else [int(s) for s in size]
    except (TypeError, ValueError):
        sizes = []
    if not 1 <= len(sizes) <= 3 or any(not 0 <= s < 1 << 32 for s in sizes):
        raise ArgumentError(f"the {what} of `{name}` is one to three numbers, not {size!r}")
    return (*sizes, 1, 1)[:3]  # type: ignore[return-value]


class _Function:
    """What kernels and host functions share: arguments, and the call."""

    def __init__(self, module: Module, index: int, signature: Signature) -> None:
        self._module = module
        self._index = index
        self._convert = converters(signature)
        self._printed = ctypes.c_int()
        self._printed_at = ctypes.addressof(self._printed)
        self.signature = signature
        self.__name__ = signature.name
        self.__doc__ = str(signature)
        kind = inspect.Parameter.POSITIONAL_ONLY
        names = [p.name or f"arg{i}" for i, p in enumerate(signature.parameters)]
        if len(set(names)) == len(names):
            self.__signature__ = inspect.Signature([inspect.Parameter(n, kind) for n in names])

    def __repr__(self) -> str:
        return f"<{self.signature} of {self._module.name}>"

    def _run(self, arguments: tuple[Any, ...], launch: Any, result: Any) -> None:
        if len(arguments) != len(self._convert):
            raise ArgumentError(
                f"`{self.signature.name}` takes {len(self._convert)} arguments and got {len(arguments)}: {self.signature}"
            )
        keeps: list[Any] = []
        packed = b"".join([convert(value, keeps) for convert, value in zip(self._convert, arguments)])
        gpu = _gpu._gpu or _gpu.current()
        kinds = set(map(type, keeps))
        if OnGpu in kinds:
            ordinal, stream = place_of(keeps, self.signature.name, launch is not None)
            packed = as_addresses(packed)
            library = self._module._library(gpu.variant)
            check(
                LIB.ww_call_on_gpu(
                    gpu.handle, library, self._index, launch, packed, len(arguments), result, ordinal, stream
                )
            )
            return
        error = _call(
            gpu.handle,
            self._module._library(gpu.variant),
            self._index,
            launch,
            packed,
            len(arguments),
            result,
            self._printed_at,
        )
        if self._printed.value:
            gpu.show_printed()
        if error is not None:
            check(error)
        if Lent in kinds:
            give_back(keeps)


class Launcher:
    """A kernel with its grid and block: what `kernel[grid, block]` is."""

    def __init__(self, kernel: Kernel, launch: Launch) -> None:
        self._kernel = kernel
        self._launch = launch
        self._address = ctypes.addressof(launch)

    def __call__(self, *arguments: Any) -> None:
        self._kernel._run(arguments, self._address, None)

    def __repr__(self) -> str:
        grid, block = tuple(self._launch.grid), tuple(self._launch.block)
        return f"<{self._kernel.signature.name}[{grid}, {block}]>"


class Kernel(_Function):
    """A `__global__` function.

    kernel[grid, block](x, n) or kernel(x, n, grid=grid, block=block). Grid and block are a number or up to three; a third
    member of the brackets is the number of bytes of dynamic shared memory. A call returns when the kernel has run.
    """

    def __init__(self, module: Module, index: int, signature: Signature) -> None:
        super().__init__(module, index, signature)
        self._launchers: dict[Any, Launcher] = {}

    def __getitem__(self, shape: tuple[Any, ...]) -> Launcher:
        try:
            launcher = self._launchers.get(shape)
        except TypeError:  # a list cannot be looked up
            launcher = None
        if launcher is None:
            if not isinstance(shape, tuple) or not 2 <= len(shape) <= 3:
                raise ArgumentError(f"write {self.signature.name}[grid, block](...), or [grid, block, shared bytes]")
            launcher = self.configure(*shape)
            try:
                if len(self._launchers) < 256:
                    self._launchers[shape] = launcher
            except TypeError:
                pass
        return launcher

    def configure(
        self,
        grid: Size,
        block: Size,
        shared: int = 0,
        *,
        cluster: Size | None = None,
        cooperative: bool = False,
    ) -> Launcher:
        """The kernel with all that a launch can be given."""
        name = self.signature.name
        launch = Launch()
        launch.grid[:] = _sizes(grid, "grid", name)
        launch.block[:] = _sizes(block, "block", name)
        if cluster is not None:
            launch.cluster[:] = _sizes(cluster, "cluster", name)
        if not isinstance(shared, int) or not 0 <= shared < 1 << 32:
            raise ArgumentError(f"the dynamic shared memory of `{name}` is a number of bytes, not {shared!r}")
        launch.dynamic_shared_bytes = shared
        launch.cooperative = int(cooperative)
        return Launcher(self, launch)

    def __call__(
        self,
        *arguments: Any,
        grid: Size | None = None,
        block: Size | None = None,
        shared: int = 0,
        cluster: Size | None = None,
        cooperative: bool = False,
    ) -> None:
        if grid is None or block is None:
            raise ArgumentError(
                f"`{self.signature.name}` is a kernel: say how many threads run it, as in "
                f"{self.signature.name}[grid, block](...) or {self.signature.name}(..., grid=..., block=...)"
            )
        self.configure(grid, block, shared, cluster=cluster, cooperative=cooperative)(*arguments)


class HostFunction(_Function):
    """An `extern "C"` function of the host half, which launches kernels itself. Arrays reach it as pointers to memory of
    the GPU. A call returns when everything that it has submitted has run."""

    def __init__(self, module: Module, index: int, signature: Signature) -> None:
        super().__init__(module, index, signature)
        self._result: Any = None
        result = signature.result
        if result.pointer:
            self._result = ctypes.c_void_p
        elif result.kind != "void":
            self._result = _RESULTS.get(result.dtype or "") if result.kind != "other" else None
            if self._result is None:
                self._convert = (_refuse_result(signature),) * len(self._convert)

    def __call__(self, *arguments: Any) -> Any:
        if self._result is None:
            return self._run(arguments, None, None)
        result = self._result()
        self._run(arguments, None, ctypes.addressof(result))
        return result.value


def _refuse_result(signature: Signature) -> Any:
    def refuse(value: Any, keeps: list[Any]) -> bytes:
        raise ArgumentError(
            f"`{signature.name}` returns a `{signature.result.spelling}`, which cannot be returned to Python: let it write "
            "to an array"
        )

    return refuse
