"""Numba's bindings of CUDA, led to our libraries; a failed kernel is told as Warpwise tells it."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from numba.core import config
from numba.cuda import dispatcher
from numba.cuda.cudadrv import driver, libs, runtime

from .. import _gpu
from .._native import RUNTIME, libraries_folder, load_library
from ..errors import SetupError

# The newest CUDA that Numba 0.56 knows. Functions are asked for as they were then: cuCtxGetDevice, for one, has taken
# one parameter more since CUDA 13, under the name that Numba would find in the library first.
_CUDA = 11080
_PER_THREAD = 2  # CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM

_OURS = {"cuda": "libcuda.so.1", "cudart": RUNTIME, "nvrtc": "libnvrtc.so.13"}

# What waits for kernels: afterwards their output is complete.
_WAITS = ("cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize", "cuMemcpyDtoH")


def _open(name: str) -> ctypes.CDLL:
    return load_library(_OURS[name])


def _file_to_link(name: str, platform: Any = None, static: bool = False) -> str:
    """What a kernel is linked with that waits for its whole grid: the library of device code, cudadevrt."""
    return str(libraries_folder() / "lib64" / f"lib{name}.a")


def _find_api(self: Any, name: str) -> Any:
    """The function of the driver with the parameters that Numba gives it."""
    address = ctypes.c_void_p()
    per_thread = _PER_THREAD if config.CUDA_PER_THREAD_DEFAULT_STREAM else 0
    if self.lib.cuGetProcAddress(name.encode(), ctypes.byref(address), _CUDA, ctypes.c_uint64(per_thread)):
        raise driver.CudaDriverError(f"Driver missing function: {name}")
    types = driver.API_PROTOTYPES[name]
    function = ctypes.CFUNCTYPE(types[0], *types[1:])(address.value)
    function.__name__ = name
    return function


def _check_error(self: Any, name: str, code: int, usual: Any) -> None:
    if name in _WAITS:
        _gpu.current().show_printed()
    if code:
        _gpu.current().recover()  # raises where a kernel has failed
    usual(self, name, code)


def _bind() -> None:
    """The one driver of Numba, which has looked for a library when it was imported."""
    bindings = driver.driver
    if bindings.is_initialized and bindings.initialization_error is None:
        raise SetupError("Numba uses another GPU already: import warpwise.numba before the first use of numba.cuda", "U0033")
    bindings.lib = _open("cuda")
    bindings.is_initialized, bindings.initialization_error = False, None


def install() -> None:
    _bind()
    for module in (libs, runtime):
        module.open_cudalib = _open
    dispatcher.get_cudalib = _file_to_link
    usual_start, usual_check = driver.Driver.ensure_initialized, driver.Driver._check_ctypes_error

    def start(self: Any) -> None:
        if not self.is_initialized:
            _gpu.current()  # the GPU of the process, which cuInit finds
        usual_start(self)

    driver.Driver.ensure_initialized = start
    driver.Driver._find_api = _find_api
    driver.Driver._check_ctypes_error = functools.partialmethod(_check_error, usual=usual_check)
