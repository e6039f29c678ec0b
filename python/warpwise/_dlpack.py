"""DLPack's structures (dmlc.github.io/dlpack), as far as a reader of CPU arrays needs them."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any

_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}
_CPU = 1


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int),
        ("device_id", c_int32),
        ("ndim", c_int),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]


def view_of_dlpack(value: Any) -> tuple[int, int, str, tuple[int, ...], bool, bool, str, Any]:
    """The members of an ArrayView for an object with __dlpack__. The capsule frees the tensor when it goes."""
    capsule = value.__dlpack__()
    tensor = _Tensor.from_address(_pointer_of(capsule, b"dltensor"))  # the first member of DLManagedTensor
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    contiguous, expected = True, 1
    for i in reversed(range(tensor.ndim)):
        if tensor.strides and shape[i] != 1 and tensor.strides[i] != expected:
            contiguous = False
        expected *= shape[i]
    kind = _KINDS.get(tensor.code, f"kind{tensor.code}-")
    dtype = "bool" if kind == "bool" else f"{kind}{tensor.bits * tensor.lanes}"
    return (
        (tensor.data or 0) + tensor.byte_offset,
        expected * tensor.bits * tensor.lanes // 8,
        dtype,
        shape,
        contiguous,
        True,
        "cpu" if tensor.device_type == _CPU else f"device type {tensor.device_type} of DLPack",
        (capsule, value),
    )
