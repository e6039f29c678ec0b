"""A launch as Triton asks for it: PTX, a signature and Python values.

What Triton calls a signature is a type for each parameter of the Python function: "*fp32", "i32", "constexpr",
"tensordesc<fp16[128, 64]>", or a tuple of such. The kernel's own parameters are those that are no constexpr, several for a
tensor descriptor (_descriptors.py), and behind them pointers to scratch memory, none to two as the release has it. How
many, the PTX says.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any, Iterator

from .. import _gpu
from .._native import ADDRESS, ADDRESSES, ARGUMENT, LIB, OFFSET_SHIFT, READ_WRITE, TENSOR_MAP, VALUE, Launch, check
from ..errors import ArgumentError, SetupError
from ..ptx import PtxModule, load_ptx, registers_of
from ._addresses import follows_addresses, is_table, led_to
from ._descriptors import Descriptors

_WARP = 32


class Binary:
    """What Triton holds as a loaded kernel: its PTX, which is loaded when names for its parameters are known."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self._text = text
        self._module: PtxModule | None = None
        self._follows_addresses: bool | None = None
        self.registers = registers_of(name, text)

    def module(self, names: tuple[str, ...]) -> PtxModule:
        if self._module is None:
            self._module = load_ptx(source=self._text, name=f"{self.name}.ptx", parameters=names)
        return self._module

    @property
    def follows_addresses(self) -> bool:
        if self._follows_addresses is None:
            self._follows_addresses = follows_addresses(self._text)
        return self._follows_addresses


def load_binary(name: str, image: bytes, shared: int, device: int) -> tuple[Binary, Binary, int, int, int]:
    """In the place of Triton's function of this name: module, function, registers, spills, threads of a block.

    Registers are an estimate; there is no machine code, which alone could spill.
    """
    if image.startswith(b"\x7fELF"):
        raise SetupError(
            f"`{name}` is machine code of a real GPU: TRITON_PTXAS_PATH must name warpwise-ptxas, and Triton's cache must "
            "not have kernels of another ptxas (TRITON_CACHE_DIR)",
            "U0033",
        )
    binary = Binary(name, image.rstrip(b"\0").decode())
    return binary, binary, binary.registers, 0, 1024


def _flat(names: Any, types: Any) -> Iterator[tuple[str, str]]:
    """Name and type of each parameter; those of a tuple are numbered."""
    for name, kind in zip(names, types):
        if isinstance(kind, tuple):
            yield from _flat([f"{name}_{i}" for i in range(len(kind))], kind)
        else:
            yield name, kind


def _flat_values(values: Any, types: Any) -> Iterator[Any]:
    for value, kind in zip(values, types):
        if isinstance(kind, tuple):
            yield from _flat_values(value, kind)
        elif kind != "constexpr":
            yield value


def _storage(value: Any) -> tuple[int, int, int]:
    """Where the memory begins that a tensor is a view of, how many bytes it has, and where in it the view begins."""
    device = getattr(getattr(value, "device", None), "type", "cpu")
    if device != "cpu":
        raise ArgumentError(f"a tensor is on `{device}`, and the virtual GPU uses tensors of the CPU")
    for name in ("untyped_storage", "storage"):
        if hasattr(value, name):
            storage = getattr(value, name)()
            return storage.data_ptr(), storage.nbytes(), value.data_ptr() - storage.data_ptr()
    interface = getattr(value, "__array_interface__", None)
    if interface is None:
        raise ArgumentError(
            f"a {type(value).__name__} cannot be passed to a Triton kernel: it is no tensor with a storage, no numpy array "
            "and no address"
        )
    whole = value
    while getattr(whole, "base", None) is not None and hasattr(whole.base, "__array_interface__"):
        whole = whole.base
    begin = whole.__array_interface__["data"][0]
    return begin, whole.nbytes, interface["data"][0] - begin


def _pointer(value: Any, kind: int = READ_WRITE) -> tuple[int, int, int]:
    """A ww_argument."""
    if value is None or isinstance(value, int):
        return value or 0, 0, ADDRESS
    begin, size, offset = _storage(value)
    return begin, size, kind | offset << OFFSET_SHIFT


_FLOATS = {2: "e", 4: "f", 8: "d"}


def _number(value: Any, kind: str, size: int) -> bytes:
    """A number in as many bytes as the kernel's parameter has."""
    if kind == "bf16" and size == 2:
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        raw = struct.pack("<H", (bits + 0x7FFF + (bits >> 16 & 1)) >> 16)  # to the nearest, ties to even
    elif kind.startswith(("fp", "bf", "f")):
        raw = struct.pack("<" + _FLOATS[size], value)
    else:
        raw = (int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    return ARGUMENT.pack(int.from_bytes(raw, "little"), 0, VALUE)


class Launcher:
    """Triton's launcher_cls: made once for a compiled kernel, called for each launch."""

    def __init__(self, src: Any, metadata: Any) -> None:
        types = tuple(src.signature.values())
        function = getattr(src, "fn", None)
        keys = getattr(function, "arg_names", None) or [str(key) for key in src.signature]
        self._types = types
        flat = [(name, kind) for name, kind in _flat(keys, types) if kind != "constexpr"]
        self._descriptors = Descriptors(getattr(metadata, "tensordesc_meta", None))
        flat = self._descriptors.parameters(flat)
        self._kinds = tuple(kind for _, kind in flat)
        self._names = tuple(name for name, _ in flat)
        self._scratch = tuple(getattr(metadata, f"{what}_scratch_size", 0) or 0 for what in ("global", "profile"))
        self._launch = Launch()
        self._launch.block[:] = (_WARP * metadata.num_warps, 1, 1)
        self._launch.dynamic_shared_bytes = metadata.shared
        self._launch.cooperative = int(bool(getattr(metadata, "launch_cooperative_grid", False)))
        self._ctas = getattr(metadata, "num_ctas", 1) or 1
        self._cluster = tuple(getattr(metadata, "cluster_dims", None) or (self._ctas, 1, 1))
        if self._ctas > 1:
            self._launch.cluster[:] = self._cluster

    def __call__(
        self,
        x: int,
        y: int,
        z: int,
        stream: Any,
        function: Binary,
        packed_metadata: Any,
        launch_metadata: Any,
        enter_hook: Any,
        exit_hook: Any,
        *values: Any,
    ) -> None:
        if enter_hook is not None:
            enter_hook(launch_metadata)
        if x * y * z > 0:
            self._run((x, y, z), function, values)
        if exit_hook is not None:
            exit_hook(launch_metadata)

    def _arguments(self, module: PtxModule, function: Binary, values: Any, blocks: int) -> tuple[bytes, int, Any]:
        name = function.name
        parameters = module[name].signature.parameters
        given = tuple(self._descriptors.values(_flat_values(values, self._types)))
        if not len(given) <= len(parameters) <= len(given) + 2:
            raise ArgumentError(f"`{name}` has {len(parameters)} parameters in its PTX, and Triton gives {len(given)}")
        packed, scratch, tables = [], [], []
        for value, kind, parameter in zip(given, self._kinds, parameters):
            if kind == "map":
                tensor_map = value.encode(_pointer(value.tensor))
                scratch.append(tensor_map)
                packed.append(ARGUMENT.pack(ctypes.addressof(tensor_map), ctypes.sizeof(tensor_map), TENSOR_MAP))
            elif is_table(value, kind) and function.follows_addresses:
                tables.append(value)
                packed.append(ARGUMENT.pack(*_pointer(value, ADDRESSES)))
            elif kind[0] == "*":
                packed.append(ARGUMENT.pack(*_pointer(value)))
            else:
                packed.append(_number(value, kind, parameter.type.bytes or 8))
        for size in self._scratch[: len(parameters) - len(given)]:
            memory = ctypes.create_string_buffer(size * blocks * self._ctas) if size else None
            scratch.append(memory)
            address = ctypes.addressof(memory) if memory is not None else 0
            packed.append(ARGUMENT.pack(address, size * blocks * self._ctas, READ_WRITE if memory is not None else ADDRESS))
        if tables:
            packed += [ARGUMENT.pack(begin, size, READ_WRITE) for begin, size in led_to(tables)]
        return b"".join(packed), len(packed), scratch

    def _run(self, grid: tuple[int, int, int], function: Binary, values: Any) -> None:
        module = function.module(self._names)
        blocks = grid[0] * grid[1] * grid[2]
        packed, count, keeps = self._arguments(module, function, values, blocks)
        self._launch.grid[:] = [size * along for size, along in zip(grid, self._cluster if self._ctas > 1 else (1, 1, 1))]
        gpu = _gpu.current()
        printed = ctypes.c_int()
        error = LIB.ww_call(
            gpu.handle,
            module._library(gpu.variant),
            list(module).index(function.name),
            ctypes.addressof(self._launch),
            packed,
            count,
            None,
            ctypes.addressof(printed),
        )
        del keeps
        if printed.value:
            gpu.show_printed()
        check(error)
