"""`load_inline` with the signature of torch.utils.cpp_extension, for sources that compute with kernels.

PyTorch's own compiles PyTorch's headers, for half a minute and more. Here the sources find headers of ours
(include/cuda/warpwise/torch/tensor.h) with the part of the interface that host code around kernels uses: shapes, types,
memory. Operators on tensors are not in it; a source that uses them does not compile, and the compiler names them.

A tensor is copied to memory of the GPU for the call, and back after it; what a function returns is a new tensor.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Union

import torch

from .._arguments import Converter, converters
from .._native import VALUE, installation
from ..errors import ArgumentError
from ..functions import HostFunction
from ..module import Module, load
from ..signatures import Signature

Sources = Union[str, Sequence[str]]

_MAKE, _RELEASE = "warpwise_tensor_make", "warpwise_tensor_release"
_MOST_DIMENSIONS = 8
# c10::ScalarType.
_TYPES = {
    torch.uint8: 0,
    torch.int8: 1,
    torch.int16: 2,
    torch.int32: 3,
    torch.int64: 4,
    torch.float16: 5,
    torch.float32: 6,
    torch.float64: 7,
    torch.bool: 11,
    torch.bfloat16: 15,
}
_DTYPES = {number: dtype for dtype, number in _TYPES.items()}
_HEAD = "#include <torch/extension.h>\n"


class _Storage(ctypes.Structure):
    """at::TensorStorage."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("uses", ctypes.c_int64),
        ("type", ctypes.c_int64),
        ("dimensions", ctypes.c_int64),
        ("sizes", ctypes.c_int64 * _MOST_DIMENSIONS),
        ("strides", ctypes.c_int64 * _MOST_DIMENSIONS),
    ]


def _is_tensor(spelling: str) -> bool:
    return spelling.replace("const ", "") in ("at::Tensor", "torch::Tensor", "Tensor")


class InlineFunction(HostFunction):
    """A function over tensors."""

    def __init__(self, module: Module, index: int, signature: Signature) -> None:
        super().__init__(module, index, signature)
        plain = converters(signature)
        self._tensors = tuple(_is_tensor(p.type.spelling) for p in signature.parameters)
        self._convert = tuple(_as_it_is if t else c for t, c in zip(self._tensors, plain))
        self._returns_tensor = _is_tensor(signature.result.spelling)

    def __call__(self, *arguments: Any) -> Any:
        if len(arguments) != len(self._tensors):
            raise ArgumentError(f"`{self.__name__}` takes {len(self._tensors)} arguments: {self.signature}")
        lent: list[_LentTensor] = []
        try:
            values = [
                self._lend(value, lent) if is_tensor else value for is_tensor, value in zip(self._tensors, arguments)
            ]
            result = self._call_with(values)
            for tensor in lent:
                tensor.copy_out()
            if isinstance(result, torch.Tensor) and lent:
                result = result.to(lent[0].tensor.device)
            return result
        finally:
            for tensor in lent:
                self._module[_RELEASE](tensor.storage)

    def _call_with(self, values: list[Any]) -> Any:
        if not self._returns_tensor:
            return super().__call__(*values)
        place = ctypes.c_uint64(0)
        self._run(tuple(values), None, ctypes.addressof(place))
        return self._take(place.value)

    def _lend(self, tensor: Any, lent: list[_LentTensor]) -> int:
        """A tensor of the library with the values of ours."""
        if not isinstance(tensor, torch.Tensor):
            raise ArgumentError(f"`{self.__name__}` takes a tensor, not {type(tensor).__name__}")
        if tensor.dtype not in _TYPES or tensor.dim() > _MOST_DIMENSIONS:
            raise ArgumentError(f"`{self.__name__}` takes no tensor of {tensor.dtype} with {tensor.dim()} dimensions")
        sizes = [*tensor.shape, *[0] * (_MOST_DIMENSIONS - tensor.dim())]
        storage = self._module[_MAKE](_TYPES[tensor.dtype], tensor.dim(), *sizes)
        values = tensor.detach().cpu().contiguous()
        lent.append(_LentTensor(tensor, values, storage))
        _copy(_Storage.from_address(storage).data, values.data_ptr(), values)
        return storage

    def _take(self, storage: int) -> torch.Tensor | None:
        """A tensor of ours with the values of the library's."""
        if not storage:
            return None
        try:
            described = _Storage.from_address(storage)
            tensor = torch.empty(
                tuple(described.sizes[: described.dimensions]), dtype=_DTYPES[described.type]
            )
            _copy(tensor.data_ptr(), described.data, tensor)
            return tensor
        finally:
            self._module[_RELEASE](storage)


def _copy(to: int | None, source: int | None, tensor: torch.Tensor) -> None:
    if tensor.numel():
        ctypes.memmove(to or 0, source or 0, tensor.numel() * tensor.element_size())


@dataclass
class _LentTensor:
    """An argument, its values on the host, contiguous, and the library's tensor that has them for the call."""

    tensor: torch.Tensor
    values: torch.Tensor
    storage: int

    def copy_out(self) -> None:
        """What the function has written into its argument."""
        made = torch.empty(self.values.shape, dtype=self.values.dtype)
        _copy(made.data_ptr(), _Storage.from_address(self.storage).data, made)
        with torch.no_grad():
            if not torch.equal(made, self.values):
                self.tensor.copy_(made)


def _as_it_is(value: Any, keeps: list[Any]) -> bytes:
    return int(value).to_bytes(8, "little") + bytes(8) + VALUE.to_bytes(8, "little")


class InlineModule:
    """What load_inline returns: its functions are attributes."""

    def __init__(self, name: str, module: Module, functions: Sequence[str]) -> None:
        self.__name__ = name
        for index, function in enumerate(module):
            if function in functions:
                setattr(self, function, InlineFunction(module, index, module[function].signature))
        for function in functions:
            if not hasattr(self, function):
                raise ArgumentError(f"`{function}` of `{name}` cannot be called: {module.left_out.get(function)}")

    def __repr__(self) -> str:
        return f"<module {self.__name__!r} of warpwise.torch.load_inline>"


def _joined(sources: Sources | None) -> str:
    return sources if isinstance(sources, str) else "\n".join(sources or ())


def load_inline(
    name: str,
    cpp_sources: Sources = (),
    cuda_sources: Sources | None = None,
    functions: Union[str, Sequence[str], Mapping[str, str], None] = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | None = None,
    verbose: bool = False,
    with_cuda: bool | None = None,
    is_python_module: bool = True,
    **newer: Any,
) -> InlineModule:
    """Compiles sources as torch.utils.cpp_extension.load_inline does, for the virtual GPU.

    The C++ sources follow the CUDA sources in one text. `functions` names what Python may call. Where to build is not
    asked: the cache has what was built before.
    """
    del build_directory, verbose, with_cuda, newer  # they change how, and not what, is built
    if not is_python_module:
        raise ArgumentError("load_inline makes modules for Python: is_python_module=False has no meaning here")
    names = [functions] if isinstance(functions, str) else list(functions or ())
    if not names:
        raise ArgumentError("load_inline needs functions=: the names of the functions that Python is to call")
    headers = installation() / "include" / "warpwise" / "cuda" / "warpwise" / "torch"
    flags = [f"-I{headers}", *(f"-I{path}" for path in extra_include_paths or ())]
    flags += [*(extra_cuda_cflags or ()), *(extra_ldflags or ())]
    for flag in extra_cflags or ():
        flags += ["-Xcompiler", flag]
    text = f"{_HEAD}{_joined(cuda_sources)}\n{_joined(cpp_sources)}\n"
    module = load(source=text, flags=flags, functions=[*names, _MAKE, _RELEASE], name=f"{name}.cu")
    return InlineModule(name, module, names)
