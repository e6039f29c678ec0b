"""The GPU of the process may be replaced: ww.check() and ww.profile() use one of their own, and a failed kernel leaves a
new one. What Numba holds of an earlier GPU is dropped then; kernels are loaded again, compiled for checking where checkers
look on. Device arrays of an earlier GPU are gone, as they are after a kernel failed on a real one.
"""

from __future__ import annotations

import functools
import re
from typing import Any

from numba.cuda import codegen
from numba.cuda.cudadrv import devices, driver

from .. import _gpu

_seen = -1


def _drop_context(context: Any) -> None:
    """Nothing of this context exists any more: what Numba still frees of it must not reach the driver."""
    context.deallocations._disable_count += 1
    context.memory_manager.deallocations._disable_count += 1


def _follow() -> None:
    """Meets a new GPU: contexts, and what is known of the device."""
    global _seen
    generation = _gpu.current().generation
    if generation == _seen:
        return
    if _seen >= 0:
        for device in driver.driver.devices.values():
            if device.primary_context is not None:
                _drop_context(device.primary_context)
        driver.driver.devices.clear()
        devices._runtime.gpus.__dict__.pop("lst", None)
        devices._runtime._set_attached_context(None)
    _seen = generation


def _following(method: Any) -> Any:
    @functools.wraps(method)
    def wrapped(self: Any, *arguments: Any) -> Any:
        _follow()
        return method(self, *arguments)

    return wrapped


def _short_name(library: Any) -> str:
    """`scale` of `Model.fit.<locals>.scale_kernel_`: what a kernel is called in reports."""
    return re.sub(r"\W", "_", library.name.removesuffix("_kernel_").rpartition(".")[2]) or "kernel"


def _renamed(library: Any, ptxes: list[str]) -> list[str]:
    """Kernels under the names of their functions. Numba's own have the types of all parameters in them, and more."""
    if library._entry_name is None:
        return ptxes
    if "_ww_long_name" not in library.__dict__:
        library._ww_long_name, library._entry_name = library._entry_name, _short_name(library)
    return [text.replace(library._ww_long_name, library._entry_name) for text in ptxes]


def _use_caches_of_this_gpu(library: Any) -> None:
    gpu = _gpu.current()
    if library.__dict__.get("_ww_variant") != gpu.variant:
        kept = library.__dict__.setdefault("_ww_kept", {})
        library._ptx_cache, library._cubin_cache = kept.setdefault(gpu.variant, ({}, {}))
        library._ww_variant = gpu.variant
    if library.__dict__.get("_ww_generation") != gpu.generation:
        library._cufunc_cache = {}
        library._ww_generation = gpu.generation


def install() -> None:
    library = codegen.CUDACodeLibrary
    for name in ("get_or_create_context", "_get_or_create_context_uncached"):
        setattr(devices._Runtime, name, _following(getattr(devices._Runtime, name)))
    usual_ptxes, usual_cubin, usual_function = library._get_ptxes, library.get_cubin, library.get_cufunc

    def get_ptxes(self: Any, cc: Any = None) -> list[str]:
        _follow()
        _use_caches_of_this_gpu(self)
        cc = cc or devices.get_context().device.compute_capability
        if cc not in self._ptx_cache:
            self._ptx_cache[cc] = _renamed(self, usual_ptxes(self, cc=cc))
        return self._ptx_cache[cc]

    def get_cubin(self: Any, cc: Any = None) -> bytes:
        _follow()
        _use_caches_of_this_gpu(self)
        return usual_cubin(self, cc=cc)

    def get_cufunc(self: Any) -> Any:
        _follow()
        _use_caches_of_this_gpu(self)
        return usual_function(self)

    library._get_ptxes, library.get_cubin, library.get_cufunc = get_ptxes, get_cubin, get_cufunc
