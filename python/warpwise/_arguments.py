"""Python values to arguments of the C interface: 24 bytes each (ww_argument), checked against the parameter.

A converter for each parameter is chosen once, when the module is loaded; a call runs it.
"""

from __future__ import annotations

import struct
from typing import Any, Callable

from . import _gpu
from ._arrays import ArrayView, NotAnArray, view_of
from ._lent import lend
from ._native import ADDRESS, ARGUMENT, READ, READ_WRITE, VALUE
from ._real_gpu import OnGpu
from .errors import ArgumentError
from .signatures import Parameter, Signature

# Gives the packed argument, and appends to the list what must live until the call is over.
Converter = Callable[[Any, "list[Any]"], bytes]

_PLACES = ("cpu", "cuda")  # of arrays
_FORMATS = {
    "bool": "?7x",
    "int8": "b7x",
    "int16": "h6x",
    "int32": "i4x",
    "int64": "q",
    "uint8": "B7x",
    "uint16": "H6x",
    "uint32": "I4x",
    "uint64": "Q",
    "float16": "e6x",
    "float32": "f4x",
    "float64": "d",
}
_64_BITS = (1 << 64) - 1
_NULL = ARGUMENT.pack(0, 0, ADDRESS)

# dtypes that have one layout.
_ALSO = {
    "float32": {"complex64"},
    "float64": {"complex128"},
    "int8": {"uint8", "bool"},
    "uint8": {"int8", "bool"},
    "bool": {"uint8", "int8"},
}


def converters(signature: Signature) -> tuple[Converter, ...]:
    """How the arguments of a function are passed."""
    return tuple(_converter(signature, i, p) for i, p in enumerate(signature.parameters))


def _subject(signature: Signature, index: int, parameter: Parameter) -> str:
    return f"argument {f'`{parameter.name}`' if parameter.name else index + 1} of `{signature.name}`"


def _converter(signature: Signature, index: int, parameter: Parameter) -> Converter:
    subject = _subject(signature, index, parameter)
    if parameter.type.pointer:
        return _array_converter(subject, parameter)
    return _value_converter(subject, parameter)


def _value_converter(subject: str, parameter: Parameter) -> Converter:
    kind = parameter.type.dtype
    form = _FORMATS.get(kind or "")
    plain = parameter.type.kind != "other" or kind == "float16"
    if form is None or not plain:
        spelling = parameter.type.spelling

        def refuse(value: Any, keeps: list[Any]) -> bytes:
            raise ArgumentError(
                f"{subject} is a `{spelling}`, which cannot be passed from Python: give the function its members as "
                "parameters of their own, or a pointer to an array"
            )

        return refuse
    packed = struct.Struct(f"<{form}QQ")
    pack = packed.pack

    def convert(value: Any, keeps: list[Any]) -> bytes:
        try:
            return pack(value, 0, VALUE)
        except (struct.error, TypeError, OverflowError) as error:
            raise ArgumentError(
                f"{subject} is {_describe(value)}, and the function takes `{parameter.type.spelling}` ({kind}): {error}"
            ) from None

    return convert


def _array_converter(subject: str, parameter: Parameter) -> Converter:
    type_ = parameter.type
    anything = type_.kind == "void"
    dtype = type_.dtype
    spelling = type_.spelling
    if dtype is None and not anything:

        def refuse(value: Any, keeps: list[Any]) -> bytes:
            if value is None:
                return _NULL
            raise ArgumentError(
                f"{subject} points to `{type_.pointee}`, for which no array has a type: pass its members as arrays of "
                "their own"
            )

        return refuse

    accepted = {dtype} | _ALSO.get(dtype or "", set())
    item = type_.bytes
    kind = READ if type_.constant else READ_WRITE
    pack = ARGUMENT.pack

    untyped = spelling.startswith(".")  # PTX: 64 bits, an address or a number

    def convert(value: Any, keeps: list[Any]) -> bytes:
        if value is None:
            return _NULL
        if untyped and isinstance(value, int):
            return pack(value & _64_BITS, 0, VALUE)
        try:
            view = view_of(value)
        except NotAnArray:
            raise ArgumentError(
                f"{subject} is {_describe(value)}, and the function takes an array (`{spelling}`)"
            ) from None
        if view.dtype not in accepted and not anything:
            raise ArgumentError(
                f"{subject} is an array of {view.dtype}, and the function takes {dtype} (`{spelling}`): convert it, for "
                f"example with {_conversion(value, dtype)}"
            )
        usable = view.contiguous and view.device in _PLACES and not view.freed
        if not usable or (kind == READ_WRITE and not view.writable):
            raise _unusable(subject, spelling, view)
        if item and view.bytes % item:
            raise ArgumentError(
                f"{subject} has {view.bytes} bytes, which are not whole elements of `{type_.pointee}` ({item} bytes)"
            )
        if view.device == "cuda":
            if not _gpu.is_watched():
                keeps.append(OnGpu(value))
                return pack(view.address, view.bytes, ADDRESS)
            if not hasattr(value, "cpu"):
                raise ArgumentError(f"{subject} is on a real GPU, which is not watched: pass a copy on the CPU")
            return pack(lend(value, view.bytes, kind == READ_WRITE, subject, keeps), view.bytes, kind)
        keeps.append(view.keeps)
        return pack(view.address, view.bytes, kind)

    return convert


def _unusable(subject: str, spelling: str, view: ArrayView) -> ArgumentError:
    if view.device not in _PLACES:
        return ArgumentError(
            f"{subject} is on `{view.device}`, and functions take arrays of the CPU and of CUDA: pass `.cpu()` of it"
        )
    if view.freed:
        return ArgumentError(
            f"{subject} has no memory for its {view.bytes} bytes any more: its storage has been freed or made smaller "
            "(`storage.resize_`)"
        )
    if not view.contiguous:
        return ArgumentError(
            f"{subject} is not contiguous (shape {view.shape}): its values do not lie side by side in memory in the "
            "order of its indices. Pass a copy (numpy.ascontiguousarray, or .contiguous() of a tensor)"
        )
    return ArgumentError(
        f"{subject} is read-only, and the function may write to it (`{spelling}`): pass a copy, or declare the "
        "parameter const"
    )


def _conversion(value: Any, dtype: str | None) -> str:
    return f".to(torch.{dtype})" if hasattr(value, "data_ptr") else f".astype('{dtype}')"


def _describe(value: Any) -> str:
    kind = type(value).__name__
    text = repr(value)
    return f"{kind} {text}" if len(text) <= 40 else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
