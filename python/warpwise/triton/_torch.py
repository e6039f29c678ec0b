"""What scripts ask `torch.cuda` about the GPU before they choose a configuration, where PyTorch has none to ask."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace
from typing import Any

from .. import _gpu
from .._native import RUNTIME, libraries_folder

# Names of PyTorch and numbers of cudaDeviceGetAttribute.
_PROPERTIES = {
    "multi_processor_count": 16,
    "max_threads_per_multi_processor": 39,
    "regs_per_multiprocessor": 82,
    "shared_memory_per_multiprocessor": 81,
    "shared_memory_per_block": 8,
    "shared_memory_per_block_optin": 97,
    "L2_cache_size": 38,
    "warp_size": 10,
}


def attributes(numbers: dict[str, int]) -> dict[str, int]:
    """Values of cudaDeviceGetAttribute by name."""
    _gpu.current()
    runtime = ctypes.CDLL(str(libraries_folder() / RUNTIME))
    value, found = ctypes.c_int(), {}
    for name, number in numbers.items():
        runtime.cudaDeviceGetAttribute(ctypes.byref(value), number, 0)
        found[name] = value.value
    return found


def _capability(device: Any = None) -> tuple[int, int]:
    return divmod(_gpu.current().info.architecture, 10)


def _properties(device: Any = None) -> SimpleNamespace:
    major, minor = _capability()
    return SimpleNamespace(name=_gpu.current().info.name, major=major, minor=minor, **attributes(_PROPERTIES))


def describe_gpu() -> None:
    """Lets `torch.cuda` describe the virtual GPU, on which this process's kernels run. Its tensors stay on the CPU."""
    import torch

    torch.cuda.is_available = lambda: False
    torch.cuda.get_device_capability = _capability
    torch.cuda.get_device_properties = _properties
    torch.cuda.get_device_name = lambda device=None: _gpu.current().info.name
