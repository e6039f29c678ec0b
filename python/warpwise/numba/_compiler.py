"""Numba's LLVM code to PTX, in the place of NVIDIA's libNVVM.

    text of LLVM 7's kind ──llvmlite──► bitcode of LLVM 14 ──Clang 19 (ww_compile_ir)──► PTX

The detour exists because pointers have types in Numba's text. Clang's LLVM no longer reads such text, but it does read
such bitcode, and llvmlite, which Numba brings along, makes it.
"""

from __future__ import annotations

import functools
from typing import Any, Sequence

import llvmlite.binding as llvm
from numba.cuda import decorators
from numba.cuda.cudadrv import nvvm

from .. import _gpu
from .._native import compile_ir
from ._intrinsics import DEFINITIONS, GRID_MARK, needed, rename

# Of LLVM's own code generator and of our library of mathematics; Numba's is that of NVIDIA's.
_LAYOUT = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
# Compute capabilities that Numba 0.56 may be told of; it takes the newest that the device has.
_CAPABILITIES = tuple((cc // 10, cc % 10) for cc in (50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90))


class _Nvvm:
    """What Numba asks libNVVM itself: the dialect of its code."""

    is_nvvm70 = True

    def get_version(self) -> tuple[int, int]:
        return 2, 0

    def get_ir_version(self) -> tuple[int, int, int, int]:
        return 2, 0, 3, 2


def _linked(texts: Sequence[str]) -> Any:
    """The module of a kernel with those of its device functions."""
    texts = [rename(nvvm.llvm_replace(text)) for text in texts]
    if any(needed(text) for text in texts):
        texts.append(DEFINITIONS)
    modules = [llvm.parse_assembly(text) for text in texts]
    for other in modules[1:]:
        modules[0].link_in(other)
    modules[0].data_layout = _LAYOUT
    return modules[0]


def _simplify_for_check(module: Any) -> None:
    """Device functions become part of their kernel, and variables registers; all other accesses stay as they are."""
    passes = llvm.create_module_pass_manager()
    passes.add_function_inlining_pass(1 << 30)
    passes.add_sroa_pass()
    passes.run(module)


def _capability(architecture: str) -> int:
    """90 of "compute_90"."""
    return int(architecture.rpartition("_")[2])


def llvm_to_ptx(llvmir: str | Sequence[str], **options: Any) -> bytes:
    """Stands for numba.cuda.cudadrv.nvvm.llvm_to_ptx. `lineinfo` and `debug` need nothing: lines are in the code."""
    texts = [llvmir] if isinstance(llvmir, str) else llvmir
    module = _linked(texts)
    checked = _gpu.current().variant[0] or options.get("opt") == 0
    if checked:
        _simplify_for_check(module)
    fast = bool(options.get("fastmath"))
    ptx = compile_ir(
        module.as_bitcode(),
        {
            "architecture": _capability(options["arch"]),
            "checked": checked,
            "contract": bool(options.get("fma", True)),
            "precise_division": not fast and bool(options.get("prec_div", True)),
            "precise_root": not fast and bool(options.get("prec_sqrt", True)),
        },
    )
    if any(GRID_MARK in text for text in texts):
        ptx += f"// {GRID_MARK}\n"
    return ptx.encode()


def _with_lines(jit: Any) -> Any:
    """cuda.jit that keeps lines unless it is told otherwise: they cost nothing, and findings need them."""

    @functools.wraps(jit)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        named.setdefault("lineinfo", True)
        return jit(*arguments, **named)

    return wrapped


def install() -> None:
    from numba import cuda

    llvm.initialize()
    nvvm.NVVM = _Nvvm
    nvvm.llvm_to_ptx = llvm_to_ptx
    nvvm._supported_cc = _CAPABILITIES
    cuda.jit = decorators.jit = _with_lines(decorators.jit)
