"""numba.cuda on the virtual GPU.

    import warpwise.numba
    from numba import cuda

    @cuda.jit
    def scale(x, by):
        i = cuda.grid(1)
        if i < x.size:
            x[i] *= by

    scale[4, 256](x, 2.0)                       # numpy arrays, as on a GPU

    with ww.check() as report:                  # findings at the lines of the Python source
        scale[5, 256](x, 2.0)

`python3 -m warpwise.numba script.py` runs a script that knows nothing of Warpwise. Neither a driver nor NVIDIA's toolkit
is needed: Numba's LLVM code becomes PTX through Clang and our own library of mathematics.
"""

from __future__ import annotations

import importlib.util

from ..errors import SetupError

# The releases whose inner parts are known here. Later ones have their CUDA target in a package of its own (numba-cuda).
_KNOWN = (0, 56)


def _numba_version() -> tuple[int, int]:
    if importlib.util.find_spec("numba") is None:
        raise SetupError("Numba is not installed: on Debian it is the package python3-numba", "U0033")
    import numba

    major, minor = numba.__version__.split(".")[:2]
    return int(major), int(minor)


def enable() -> None:
    """Puts the virtual GPU behind numba.cuda, for the whole process; done by `import warpwise.numba`."""
    version = _numba_version()
    if version != _KNOWN:
        raise SetupError(
            f"Numba {version[0]}.{version[1]} is not supported, only {_KNOWN[0]}.{_KNOWN[1]}, which Debian 12 has", "U0033"
        )
    from numba.core import config

    if config.ENABLE_CUDASIM:
        raise SetupError("NUMBA_ENABLE_CUDASIM is set: with Numba's simulator no kernel is compiled", "U0033")
    from . import _compiler, _driver, _generations, _names

    _driver.install()
    _compiler.install()
    _generations.install()
    _names.install()


enable()

__all__ = ["enable"]
