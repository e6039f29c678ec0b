"""Triton on the virtual GPU: its compiled PTX, on CPU tensors.

    import warpwise.triton          # before the first kernel
    import triton, torch

    add_kernel[(4,)](x, y, out, n, BLOCK=256)           # CPU tensors

    with ww.check() as report:                          # findings at the lines of the Triton source
        add_kernel[(4,)](x, y, out, n, BLOCK=256)

Triton compiles as for a GPU; `warpwise-ptxas` checks the PTX in the place of NVIDIA's assembler. Each launch copies the
storages of its tensors to the GPU and back, so that every access outside of a storage is one outside of an allocation.
"""

from __future__ import annotations

import importlib.util
import os

from .._native import installation
from ..errors import SetupError
from ._launcher import Launcher, load_binary


def ptxas() -> str:
    """The program that stands for ptxas."""
    program = installation() / "bin" / "warpwise-ptxas"
    if not program.exists():
        raise SetupError(f"{program} is not there: install the wheel, or Warpwise, again", "T0004")
    return str(program)


def enable() -> None:
    """Makes the virtual GPU Triton's active driver, for the whole process; done by `import warpwise.triton`."""
    if importlib.util.find_spec("triton") is None:
        raise SetupError("Triton is not installed (`pip install triton`)", "U0033")
    for variable in ("TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"):
        os.environ[variable] = ptxas()
    import triton

    from ._driver import driver_class

    triton.runtime.driver.set_active(driver_class()())
    if importlib.util.find_spec("torch") is not None:
        from ._torch import describe_gpu

        describe_gpu()


__all__ = ["Launcher", "enable", "load_binary", "ptxas"]

# A program that has no Triton may still use the launcher for PTX that Triton has made.
if importlib.util.find_spec("triton") is not None:
    enable()
