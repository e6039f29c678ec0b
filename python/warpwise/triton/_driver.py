"""What Triton asks of a driver, answered by the virtual GPU."""

from __future__ import annotations

import time
from typing import Any

from .. import _gpu
from ._launcher import Launcher, load_binary
from ._torch import attributes

# Names of Triton and numbers of cudaDeviceGetAttribute.
_PROPERTIES = {
    "max_shared_mem": 97,
    "max_num_regs": 12,
    "multiprocessor_count": 16,
    "warpSize": 10,
    "sm_clock_rate": 13,
    "mem_clock_rate": 36,
    "mem_bus_width": 37,
}


class _Event:
    """A point in time: every launch is over when it returns."""

    def __init__(self, enable_timing: bool = True) -> None:
        self._at = 0.0

    def record(self, stream: Any = None) -> None:
        self._at = time.perf_counter()

    def synchronize(self) -> None:
        pass

    def elapsed_time(self, end: _Event) -> float:
        return 1e3 * (end._at - self._at)


class _Interface:
    """What benchmarks use of torch.cuda."""

    Event = _Event

    @staticmethod
    def synchronize(device: Any = None) -> None:
        pass

    @staticmethod
    def current_device() -> int:
        return 0


class _Utils:
    """Triton's functions around libcuda."""

    load_binary = staticmethod(load_binary)

    @staticmethod
    def unload_module(module: Any) -> None:
        pass

    @staticmethod
    def get_device_properties(device: int) -> dict[str, int]:
        return attributes(_PROPERTIES)


def _time_once(call: Any, quantiles: Any = None, **_: Any) -> Any:
    """What autotuning asks for each configuration: one run, in milliseconds of the host.

    The times of a simulated GPU say little about a real one, so that more runs would only be more waiting.
    """
    begin = time.perf_counter()
    call()
    milliseconds = 1e3 * (time.perf_counter() - begin)
    return [milliseconds] * len(quantiles) if quantiles else milliseconds


def driver_class() -> Any:
    """The class, made when Triton is there."""
    from triton.backends.compiler import GPUTarget
    from triton.backends.driver import DriverBase

    class Driver(DriverBase):
        launcher_cls = Launcher
        utils = _Utils()

        @classmethod
        def is_active(cls) -> bool:
            return True

        def map_python_to_cpp_type(self, ty: str) -> str:
            return ty

        def get_current_target(self) -> Any:
            return GPUTarget("cuda", _gpu.current().info.architecture, 32)

        def get_active_torch_device(self) -> Any:
            import torch

            return torch.device("cpu")

        def get_device_interface(self) -> Any:
            return _Interface

        def get_device_capability(self, device: int = 0) -> tuple[int, int]:
            return divmod(_gpu.current().info.architecture, 10)

        def get_current_device(self) -> int:
            return 0

        def set_current_device(self, device: int) -> None:
            pass

        def get_current_stream(self, device: int) -> int:
            return 0

        def get_benchmarker(self) -> Any:
            return _time_once

        def get_empty_cache_for_benchmark(self) -> Any:
            import torch

            return torch.empty(1 << 20, dtype=torch.int32)

        def clear_cache(self, cache: Any) -> None:
            cache.zero_()

    return Driver
