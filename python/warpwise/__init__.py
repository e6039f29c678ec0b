"""CUDA sources as Python functions, on a virtual GPU inside this process.

    import numpy as np
    import warpwise as ww

    k = ww.load(source='extern "C" __global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }')
    x = np.arange(8, dtype=np.float32)
    k.scale[1, 8](x, 2.0)

    with ww.check() as report:
        k.scale[1, 9](x, 2.0)        # a thread too many
    print(report)

docs/python.md is the manual.
"""

from ._gpu import DeviceInfo, device, open_gpu
from ._memory import array, empty, zeros
from ._native import version as _version
from ._trace import Recording, TraceReport, trace
from ._watch import CheckReport, Finding, ProfileReport, check, profile
from .errors import (
    ArgumentError,
    CompileError,
    Interrupted,
    KernelError,
    SetupError,
    WarpwiseError,
)
from .functions import HostFunction, Kernel, Launcher
from .module import Module, load
from .ptx import PtxModule, load_ptx
from .signatures import Parameter, Signature, Type

__version__ = _version()

__all__ = [
    "ArgumentError",
    "CheckReport",
    "CompileError",
    "DeviceInfo",
    "Finding",
    "HostFunction",
    "Interrupted",
    "Kernel",
    "KernelError",
    "Launcher",
    "Module",
    "Parameter",
    "ProfileReport",
    "PtxModule",
    "Recording",
    "SetupError",
    "Signature",
    "TraceReport",
    "Type",
    "WarpwiseError",
    "array",
    "check",
    "device",
    "empty",
    "load",
    "load_ptx",
    "open_gpu",
    "profile",
    "trace",
    "zeros",
]


def load_ipython_extension(shell: object) -> None:
    """`%load_ext warpwise`."""
    from . import notebook

    notebook.register(shell)
