"""The virtual GPU for whatever loads CUDA's libraries by name: cuda-python (cuda.core, cuda.bindings), tinygrad, PyCUDA.

    import warpwise.cuda                        # before the first of them
    from cuda.core import Device, Program, launch

    with ww.check() as report:                  # findings of their kernels
        launch(stream, config, kernel, buffer, n)

`python3 -m warpwise.cuda script.py` runs a script that knows nothing of Warpwise. Our libraries are loaded before those
that packages bring along, and the loader gives whoever asks for `libcuda.so.1` or `libnvrtc.so.13` the ones that are there.
NVRTC is ours, too: NVIDIA's makes machine code, which the virtual GPU does not run.
"""

from __future__ import annotations

import ctypes
import sys

from .. import _gpu
from .._native import load_library

_LIBRARIES = ("libcuda.so.1", "libnvrtc.so.13", "libnvJitLink.so.13", "libnvToolsExt.so.1")


def enable() -> None:
    """Loads the libraries for the whole process and opens the GPU; done by `import warpwise.cuda`."""
    if sys.argv[:1] != ["-m"]:  # python3 -m warpwise.cuda: its options say which GPU to open
        _gpu.current()
    for name in _LIBRARIES:
        load_library(name, ctypes.RTLD_GLOBAL)


enable()
