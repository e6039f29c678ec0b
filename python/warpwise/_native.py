"""The C interface (include/warpwise/capi.h) by ctypes: nothing is compiled, so one package serves every Python."""

from __future__ import annotations

import ctypes
import json
import os
import struct
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint32, c_void_p
from pathlib import Path
from typing import Any

from . import errors

CAPI_VERSION = 1
LIBRARY = "libwarpwise-capi.so.1"
# Our CUDA runtime by its own name. A wheel has no links: libcudart.so.13 is another file there, and would be another runtime.
RUNTIME = "libwarpwise-cudart.so.13"
LIBRARIES_VARIABLE = "WARPWISE_LIBRARIES"

# Kinds of ww_argument.
VALUE, ADDRESS, READ, READ_WRITE, TENSOR_MAP, ADDRESSES = range(6)
OFFSET_SHIFT = 8  # of the address that a function gets, in the array
ARGUMENT = struct.Struct("<QQQ")  # ww_argument: value, bytes, kind


class Launch(ctypes.Structure):
    """ww_launch."""

    _fields_ = [
        ("grid", c_uint32 * 3),
        ("block", c_uint32 * 3),
        ("cluster", c_uint32 * 3),
        ("dynamic_shared_bytes", c_uint32),
        ("cooperative", c_uint32),
    ]


class TensorMap(ctypes.Structure):
    """ww_tensor_map."""

    _fields_ = [
        ("array", ctypes.c_uint64 * 3),
        ("type", c_uint32),
        ("rank", c_uint32),
        ("interleave", c_uint32),
        ("swizzle", c_uint32),
        ("promotion", c_uint32),
        ("fill", c_uint32),
        ("sizes", ctypes.c_uint64 * 5),
        ("strides", ctypes.c_uint64 * 4),
        ("box", c_uint32 * 5),
        ("element_strides", c_uint32 * 5),
    ]


class Source(ctypes.Structure):
    """ww_source."""

    _fields_ = [
        ("path", c_char_p),
        ("flags", POINTER(c_char_p)),
        ("flag_count", c_size_t),
        ("checked", c_int),
        ("functions", POINTER(c_char_p)),
        ("function_count", c_size_t),
    ]


def installation() -> Path:
    """The folder that has bin/ and include/: the package's own, or where the tree or the system has one."""
    folder = libraries_folder().resolve()
    for above in folder.parents:
        if (above / "include" / "warpwise").is_dir():
            return above
    raise errors.SetupError(f"there is no include/warpwise around {folder}: install the wheel, or Warpwise, again")


def libraries_folder() -> Path:
    """The folder of our libraries."""
    named = os.environ.get(LIBRARIES_VARIABLE)
    places = [Path(named)] if named else []
    places.append(Path(__file__).parent / "_installation" / "lib" / "warpwise")
    for prefix in ("/usr/local", "/usr", os.path.expanduser("~/.local")):
        places += [Path(prefix) / "lib" / "warpwise", Path(prefix) / "lib" / "x86_64-linux-gnu" / "warpwise"]
    for place in places:
        if (place / LIBRARY).exists():
            return place
    raise errors.SetupError(
        f"{LIBRARY} is in none of {', '.join(str(p) for p in places)}: install the wheel (`make wheel`), or set "
        f"{LIBRARIES_VARIABLE} to the folder that has it (build/release/lib)"
    )


def load_library(name: str, mode: int = ctypes.DEFAULT_MODE) -> ctypes.CDLL:
    """A library of ours. RTLD_DEEPBIND: NVIDIA's runtime may be there for all libraries to see; ours calls its own."""
    return ctypes.CDLL(str(libraries_folder() / name), mode=mode | os.RTLD_DEEPBIND)


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    """Says what each function takes; an error comes back as an address, or None."""
    text = c_void_p  # ours to free
    signatures = {
        "ww_capi_version": (c_int, []),
        "ww_version": (c_char_p, []),
        "ww_text_free": (None, [text]),
        "ww_error_code": (c_char_p, [c_void_p]),
        "ww_error_message": (c_char_p, [c_void_p]),
        "ww_error_free": (None, [c_void_p]),
        "ww_gpu_open": (c_void_p, [c_char_p, POINTER(c_void_p)]),
        "ww_gpu_close": (None, [c_void_p]),
        "ww_gpu_properties": (c_char_p, [c_void_p]),
        "ww_gpu_watch": (c_void_p, [c_void_p, c_char_p]),
        "ww_gpu_report": (c_void_p, [c_void_p, POINTER(text), POINTER(text)]),
        "ww_gpu_printed": (text, [c_void_p]),
        "ww_gpu_generation": (ctypes.c_uint64, [c_void_p]),
        "ww_gpu_recover": (c_void_p, [c_void_p]),
        "ww_gpu_name_memory": (None, [c_void_p, ctypes.c_uint64, c_char_p]),
        "ww_compile_ir": (c_void_p, [c_char_p, c_size_t, c_char_p, POINTER(text)]),
        "ww_pages_allocate": (c_void_p, [c_void_p, c_size_t, POINTER(c_void_p)]),
        "ww_pages_free": (c_void_p, [c_void_p, c_void_p]),
        "ww_library_load": (c_void_p, [c_void_p, POINTER(Source), POINTER(c_void_p)]),
        "ww_library_load_ptx": (
            c_void_p,
            [c_void_p, c_char_p, c_char_p, POINTER(c_char_p), c_size_t, POINTER(c_void_p)],
        ),
        "ww_library_close": (None, [c_void_p]),
        "ww_library_functions": (c_char_p, [c_void_p]),
        "ww_call": (
            c_void_p,
            [c_void_p, c_void_p, c_size_t, c_void_p, c_char_p, c_size_t, c_void_p, c_void_p],
        ),
        "ww_call_on_gpu": (
            c_void_p,
            [c_void_p, c_void_p, c_size_t, c_void_p, c_char_p, c_size_t, c_void_p, ctypes.c_uint, c_void_p],
        ),
    }
    for name, (result, parameters) in signatures.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = parameters
    return library


def _load() -> ctypes.CDLL:
    library = _declare(load_library(LIBRARY))
    found = library.ww_capi_version()
    if found != CAPI_VERSION:
        raise errors.SetupError(f"{LIBRARY} has version {found} of the interface, and this package needs {CAPI_VERSION}")
    return library


LIB = _load()


def check(error: int | None) -> None:
    """Raises the exception for an error of the C interface, and frees it."""
    if error is None:
        return
    code = LIB.ww_error_code(error).decode()
    message = LIB.ww_error_message(error).decode(errors="replace")
    LIB.ww_error_free(error)
    raise errors.from_code(code, message)


def take_text(address: int | None) -> str:
    """A text that the C interface has handed over."""
    if not address:
        return ""
    text = ctypes.string_at(address).decode(errors="replace")
    LIB.ww_text_free(address)
    return text


def compile_ir(bitcode: bytes, options: dict[str, Any]) -> str:
    """PTX of LLVM bitcode for a GPU."""
    ptx = c_void_p()
    check(LIB.ww_compile_ir(bitcode, len(bitcode), json.dumps(options).encode(), ctypes.byref(ptx)))
    return take_text(ptx.value)


def version() -> str:
    """The version of Warpwise."""
    return LIB.ww_version().decode()
