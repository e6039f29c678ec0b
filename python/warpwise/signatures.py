"""What a function takes and returns, as the compiler says it (ww_library_functions)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_NUMBERS = {
    ("bool", 1): "bool",
    ("signed", 1): "int8",
    ("signed", 2): "int16",
    ("signed", 4): "int32",
    ("signed", 8): "int64",
    ("unsigned", 1): "uint8",
    ("unsigned", 2): "uint16",
    ("unsigned", 4): "uint32",
    ("unsigned", 8): "uint64",
    ("floating", 4): "float32",
    ("floating", 8): "float64",
}
_SMALL_FLOATS = {"__half": "float16", "half": "float16", "__nv_bfloat16": "bfloat16", "nv_bfloat16": "bfloat16"}
_VECTORS = {
    "char": "int8",
    "uchar": "uint8",
    "short": "int16",
    "ushort": "uint16",
    "int": "int32",
    "uint": "uint32",
    "long": "int64",
    "ulong": "uint64",
    "longlong": "int64",
    "ulonglong": "uint64",
    "float": "float32",
    "double": "float64",
}


@dataclass(frozen=True)
class Type:
    """A type of CUDA C++. Of a pointer, kind, constant and bytes are those of what it points to."""

    spelling: str
    kind: str
    pointer: bool
    constant: bool
    bytes: int

    @staticmethod
    def from_json(json: dict[str, Any]) -> Type:
        spelling = re.sub(r" ?\*", "*", json["spelling"]).replace("*__restrict", "* __restrict")
        return Type(spelling, json["kind"], json["pointer"], json["const"], json["bytes"])

    @property
    def pointee(self) -> str:
        """What a pointer points to, without const: "float", "Params"."""
        name = self.spelling.split("*")[0].strip()
        return re.sub(r"^const |^struct | const$", "", re.sub(r"^const ", "", name))

    @property
    def dtype(self) -> str | None:
        """numpy's name for the element, or for the value itself; None where there is none."""
        if self.spelling.count("*") > 1:
            return None
        if number := _NUMBERS.get((self.kind, self.bytes)):
            return number
        if small := _SMALL_FLOATS.get(self.pointee):
            return small
        vector = re.fullmatch(r"([a-z]+)([1-4])", self.pointee)
        return _VECTORS.get(vector[1]) if vector else None


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function; `name` is "" where the source gives none."""

    name: str
    type: Type

    def __str__(self) -> str:
        return f"{self.type.spelling} {self.name}".rstrip()


@dataclass(frozen=True)
class Signature:
    """A function as its source declares it."""

    name: str
    kernel: bool
    result: Type
    parameters: tuple[Parameter, ...]

    @staticmethod
    def from_json(json: dict[str, Any]) -> Signature:
        parameters = tuple(Parameter(p["name"], Type.from_json(p)) for p in json["parameters"])
        return Signature(json["name"], json["kernel"], Type.from_json(json["result"]), parameters)

    def __str__(self) -> str:
        head = "__global__ void" if self.kernel else self.result.spelling
        return f"{head} {self.name}({', '.join(map(str, self.parameters))})"
