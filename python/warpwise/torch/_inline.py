"""`load_inline` with the signature of torch.utils.cpp_extension, for sources that compute with kernels.

PyTorch's own compiles PyTorch's headers, for half a minute and more. Here the sources find headers of ours
(include/cuda/warpwise/torch/tensor.h) with the part of the interface that host code around kernels uses: shapes, types,
memory. Operators on tensors are not in it; a source that uses them does not compile, and the compiler names them.

Where the tensors are decides. CPU tensors are copied to memory of the virtual GPU for the call, and back after it. With a
CUDA tensor among them the call is of the real GPU: each tensor stays where it is, and the source sees its own memory.
While a watch is on, CUDA tensors are copied, too (_real_gpu.py). What a function returns is a new tensor.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Mapping, Sequence, Union

import torch

from .. import _gpu
from .._arguments import Converter, converters
from .._native import VALUE, installation
from .._real_gpu import OnGpu
from ..errors import ArgumentError
from ..functions import HostFunction
from ..module import Module, load
from ..signatures import Signature

Sources = Union[str, Sequence[str]]

_MAKE, _BORROW, _RELEASE, _MEMORY = (f"warpwise_tensor_{name}" for name in ("make", "borrow", "release", "memory"))
_PINNED, _ON_GPU = 0, 1  # at::Memory
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
        ("memory", ctypes.c_int64),
    ]


def _is_tensor(spelling: str) -> bool:
    return spelling.replace("const ", "") in ("at::Tensor", "torch::Tensor", "Tensor")


class InlineFunction(HostFunction):
    """A function over tensors."""

    def __init__(self, module: Module, index: int, signature: Signature) -> None:
        super().__init__(module, index, signature)
        plain = converters(signature)
        self._tensors = tuple(_is_tensor(p.type.spelling) for p in signature.parameters)
        self._convert = tuple(_storage_as_it_is if t else c for t, c in zip(self._tensors, plain))
        self._returns_tensor = _is_tensor(signature.result.spelling)
        self._release = _Release(module)

    def __call__(self, *arguments: Any) -> Any:
        if len(arguments) != len(self._tensors):
            raise ArgumentError(f"`{self.__name__}` takes {len(self._tensors)} arguments: {self.signature}")
        tensors = [self._checked(value) for value, is_tensor in zip(arguments, self._tensors) if is_tensor]
        gpu = None if _gpu.is_watched() else next((tensor for tensor in tensors if tensor.is_cuda), None)
        lending = _Borrowed if gpu is not None else _Copied
        lent: list[_Copied | _Borrowed] = []
        try:
            values = []
            for value, is_tensor in zip(arguments, self._tensors):
                if is_tensor:
                    lent.append(lending(self._module, value))
                values.append(lent[-1] if is_tensor else value)
            result = self._call_with(values) if gpu is None else self._call_on(gpu, values)
            if isinstance(result, torch.Tensor) and tensors and gpu is None:
                result = result.to(tensors[0].device)
            for tensor in lent:
                tensor.give_back()
            return result
        finally:
            for tensor in lent:
                self._release(tensor)

    def _checked(self, tensor: Any) -> torch.Tensor:
        if not isinstance(tensor, torch.Tensor):
            raise ArgumentError(f"`{self.__name__}` takes a tensor, not {type(tensor).__name__}")
        if tensor.dtype not in _TYPES or tensor.dim() > _MOST_DIMENSIONS:
            raise ArgumentError(f"`{self.__name__}` takes no tensor of {tensor.dtype} with {tensor.dim()} dimensions")
        return tensor

    def _call_with(self, values: list[Any], gpu: torch.Tensor | None = None) -> Any:
        if not self._returns_tensor:
            return super().__call__(*values)
        place = ctypes.c_uint64(0)
        self._run(tuple(values), None, ctypes.addressof(place))
        return self._take(place.value, gpu)

    def _call_on(self, gpu: torch.Tensor, values: list[Any]) -> Any:
        """The same on the real GPU that has this tensor: what the function allocates is there."""
        self._module[_MEMORY](_ON_GPU)
        try:
            return self._call_with(values, gpu)
        finally:
            self._module[_MEMORY](_PINNED)

    def _take(self, storage: int, gpu: torch.Tensor | None) -> torch.Tensor | None:
        """A tensor of ours with the values of the library's."""
        if not storage:
            return None
        try:
            described = _Storage.from_address(storage)
            sizes, dtype = tuple(described.sizes[: described.dimensions]), _DTYPES[described.type]
            if gpu is not None:
                return _copy_on_gpu(described.data, sizes, dtype, gpu)
            tensor = torch.empty(sizes, dtype=dtype)
            _copy(tensor.data_ptr(), described.data, tensor)
            return tensor
        finally:
            self._release(_Result(storage, gpu))


class _Release(HostFunction):
    """The end of one of the library's tensors, on the GPU that has its memory."""

    def __init__(self, module: Module) -> None:
        plain = module[_RELEASE]
        super().__init__(module, plain._index, plain.signature)
        self._convert = (_storage_as_it_is,)


def _copy(to: int | None, source: int | None, tensor: torch.Tensor) -> None:
    if tensor.numel():
        ctypes.memmove(to or 0, source or 0, tensor.numel() * tensor.element_size())


def _copy_on_gpu(address: int | None, sizes: tuple[int, ...], dtype: torch.dtype, gpu: torch.Tensor) -> torch.Tensor:
    """A tensor beside `gpu` with what is at an address of that GPU, behind what runs on the current stream."""
    made = torch.empty(sizes, dtype=dtype, device=gpu.device)
    if made.numel():
        made.copy_(torch.as_tensor(_GpuMemory(address or 0, sizes, made.element_size()), device=gpu.device).view(dtype))
    return made


class _GpuMemory:
    """Elements in memory of a GPU, as whole numbers of their size: the interface knows no bfloat16."""

    def __init__(self, address: int, sizes: tuple[int, ...], size: int) -> None:
        self.__cuda_array_interface__ = {
            "data": (address, False),
            "shape": sizes,
            "typestr": {1: "|u1", 2: "<i2", 4: "<i4", 8: "<i8"}[size],
            "version": 2,
        }


def _description(tensor: torch.Tensor) -> tuple[int, ...]:
    """Type, dimensions and sizes, as the library takes them."""
    return (_TYPES[tensor.dtype], tensor.dim(), *tensor.shape, *[0] * (_MOST_DIMENSIONS - tensor.dim()))


class _Copied:
    """An argument, its values on the host, contiguous, and the library's tensor that has a copy of them for the call."""

    gpu = None  # the tensor of a real GPU whose memory it is

    def __init__(self, module: Module, tensor: torch.Tensor) -> None:
        self.tensor = tensor
        self.values = tensor.detach().cpu().contiguous()
        self.storage = module[_MAKE](*_description(tensor))
        _copy(_Storage.from_address(self.storage).data, self.values.data_ptr(), self.values)

    def give_back(self) -> None:
        """What the function has written into its argument."""
        made = torch.empty(self.values.shape, dtype=self.values.dtype)
        _copy(made.data_ptr(), _Storage.from_address(self.storage).data, made)
        with torch.no_grad():
            if not torch.equal(made, self.values):
                self.tensor.copy_(made)


class _Borrowed:
    """An argument where it is, or, if it is not contiguous, a copy beside it; and the library's tensor of that memory."""

    def __init__(self, module: Module, tensor: torch.Tensor) -> None:
        self.tensor = tensor
        self.gpu = tensor if tensor.is_cuda else None
        self.values = tensor.detach().contiguous()
        self.storage = module[_BORROW](self.values.data_ptr(), *_description(tensor))

    def give_back(self) -> None:
        """What the function has written into a copy."""
        with torch.no_grad():
            if self.values.data_ptr() != self.tensor.data_ptr() and not torch.equal(self.values, self.tensor):
                self.tensor.copy_(self.values)


@dataclass
class _Result:
    """The library's tensor that a function has returned, and a tensor of the real GPU that it ran on."""

    storage: int
    gpu: torch.Tensor | None


def _storage_as_it_is(lent: _Copied | _Borrowed | _Result, keeps: list[Any]) -> bytes:
    if lent.gpu is not None:
        keeps.append(OnGpu(lent.gpu))
    return int(lent.storage).to_bytes(8, "little") + bytes(8) + VALUE.to_bytes(8, "little")


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
    """Compiles sources as torch.utils.cpp_extension.load_inline does, for the virtual GPU and for a real one.

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
    module = load(source=text, flags=flags, functions=[*names, _MAKE, _BORROW, _RELEASE, _MEMORY], name=f"{name}.cu")
    return InlineModule(name, module, names)
