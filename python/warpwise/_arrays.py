"""Where an array-like object has its values: whatever offers the array interface, data_ptr(), DLPack or a buffer.

No library of arrays is imported; an object that is none raises NotAnArray.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from typing import Any

from ._dlpack import view_of_dlpack


class NotAnArray(TypeError):
    """The object offers no memory."""


@dataclass
class ArrayView:
    """Memory of an array, and how its values lie there."""

    address: int
    bytes: int
    dtype: str  # "float32"; a structure is "void16"
    shape: tuple[int, ...]
    contiguous: bool
    writable: bool
    device: str = "cpu"
    keeps: Any = None  # what must live as long as the view
    freed: bool = False  # the memory is gone, or less than the array needs


_TYPESTRINGS = {"f": "float", "i": "int", "u": "uint", "c": "complex", "V": "void", "b": "bool"}
# Formats of the buffer protocol, in the machine's own sizes.
_FORMATS = {
    "?": "bool",
    "b": "int8",
    "B": "uint8",
    "c": "int8",
    "h": "int16",
    "H": "uint16",
    "i": "int32",
    "I": "uint32",
    "l": "int64",
    "L": "uint64",
    "q": "int64",
    "Q": "uint64",
    "e": "float16",
    "f": "float32",
    "d": "float64",
}


def _dtype_of(typestring: str) -> str:
    order, kind, size = typestring[0], typestring[1], int(typestring[2:])
    if order == ">":
        return f"big-endian {_TYPESTRINGS.get(kind, kind)}{8 * size}"
    name = _TYPESTRINGS.get(kind)
    if name is None:
        return typestring
    return name if name == "bool" else f"{name}{size if name == 'void' else 8 * size}"


def _count(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _view_of_interface(interface: dict[str, Any], owner: Any) -> ArrayView:
    typestring, shape, strides = interface["typestr"], interface["shape"], interface.get("strides")
    item = int(typestring[2:])
    address, read_only = interface["data"]
    contiguous = strides is None
    if not contiguous:
        expected = item
        contiguous = True
        for size, stride in zip(reversed(shape), reversed(strides)):
            if size != 1 and stride != expected:
                contiguous = False
            expected *= size
    count = _count(shape)
    return ArrayView(address, count * item, _dtype_of(typestring), shape, contiguous, not read_only, keeps=owner)


def _is_freed(tensor: Any, address: int, size: int) -> bool:
    """Whether a tensor has outlived its memory: frameworks free it by `storage.resize_(0)`, and the tensor stays."""
    if not hasattr(tensor, "untyped_storage"):  # before PyTorch 2
        return size > 0 and address == 0
    storage = tensor.untyped_storage()
    return size > 0 and (address == 0 or storage.data_ptr() + storage.nbytes() < address + size)


def _view_of_tensor(tensor: Any) -> ArrayView:
    size = tensor.numel() * tensor.element_size()
    device = tensor.device.type
    try:
        address = tensor.data_ptr()
    except RuntimeError as error:  # sparse, and others without one piece of memory
        raise NotAnArray(str(error)) from None
    return ArrayView(
        address,
        size,
        str(tensor.dtype).rpartition(".")[2],
        tuple(tensor.shape),
        tensor.is_contiguous(),
        True,
        device,
        tensor,
        device in ("cpu", "cuda") and _is_freed(tensor, address, size),
    )


def _view_of_buffer(value: Any) -> ArrayView:
    try:
        view = memoryview(value)
    except TypeError:
        raise NotAnArray(type(value).__name__) from None
    dtype = _FORMATS.get(view.format.lstrip("@="), view.format)
    address, keeps = 0, view
    if view.nbytes and not view.readonly and view.c_contiguous:
        keeps = (ctypes.c_char * view.nbytes).from_buffer(view)
        address = ctypes.addressof(keeps)
    elif view.nbytes:  # ctypes takes writable memory alone: a copy serves what is only read
        keeps = ctypes.create_string_buffer(view.tobytes(), view.nbytes)
        address = ctypes.addressof(keeps)
    return ArrayView(address, view.nbytes, dtype, view.shape, view.c_contiguous, not view.readonly, keeps=keeps)


def view_of(value: Any) -> ArrayView:
    """The memory of an array-like object."""
    interface = getattr(value, "__array_interface__", None)
    if interface is not None and hasattr(value, "dtype") and not hasattr(value, "data_ptr"):
        return _view_of_interface(interface, value)
    if hasattr(value, "data_ptr"):
        return _view_of_tensor(value)
    if interface is not None:
        return _view_of_interface(interface, value)
    if hasattr(value, "__cuda_array_interface__"):
        return replace(_view_of_interface(value.__cuda_array_interface__, value), device="cuda")
    if hasattr(value, "__dlpack__"):
        return ArrayView(*view_of_dlpack(value))
    return _view_of_buffer(value)
