"""PNG files without a library."""

from __future__ import annotations

import struct
import zlib

_GREY, _COLOUR = 0, 2


def encode(width: int, height: int, channels: int, pixels: bytes) -> bytes:
    """Pixels of 8 bits, row by row, as a PNG file; `channels`: 1 for grey, 3 for red, green and blue."""
    row = width * channels
    if channels not in (1, 3) or not row or len(pixels) != row * height:
        raise ValueError(f"{len(pixels)} bytes are no picture of {width} by {height} with {channels} channels")
    raw = b"".join(b"\0" + pixels[at : at + row] for at in range(0, len(pixels), row))

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    form = struct.pack(">IIBBBBB", width, height, 8, _COLOUR if channels == 3 else _GREY, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", form) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
