"""Pictures and pages below a cell."""

from __future__ import annotations

import html
import re
from pathlib import Path

from .. import png

_SHOWN_BY_BROWSERS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif"}
_MOST_IMAGES, _MOST_BYTES = 8, 16 << 20


def png_of_netpbm(data: bytes) -> bytes:
    """A binary PGM or PPM (P5, P6), which needs no library to be written, as a PNG."""
    head = re.match(rb"(P[56])\s(?:\s*#[^\n]*\n)*\s*(\d+)\s+(?:#[^\n]*\n\s*)*(\d+)\s+(?:#[^\n]*\n\s*)*(\d+)\s", data)
    if head is None or int(head[4]) != 255:
        raise ValueError("no PGM or PPM with 8 bits")
    width, height, channels = int(head[2]), int(head[3]), 3 if head[1] == b"P6" else 1
    row = width * channels
    pixels = data[head.end() : head.end() + row * height]
    if not row or len(pixels) != row * height:
        raise ValueError("the file ends before its last pixel")
    return png.encode(width, height, channels, pixels)


class Images:
    """The image files of the current folder that a program writes."""

    def __init__(self) -> None:
        self._before = self._files()

    @staticmethod
    def _files() -> dict[Path, tuple[int, int]]:
        kinds = {*_SHOWN_BY_BROWSERS, ".ppm", ".pgm", ".svg"}
        found = {}
        for path in Path(".").iterdir():
            if path.suffix.lower() in kinds and path.is_file():
                state = path.stat()
                found[path] = (state.st_mtime_ns, state.st_size)
        return found

    def show_new(self) -> None:
        new = [path for path, state in sorted(self._files().items()) if self._before.get(path) != state]
        for path in new[:_MOST_IMAGES]:
            if path.stat().st_size > _MOST_BYTES:
                print(f"({path} is too large to be shown)")
                continue
            try:
                _show(path)
            except ValueError as error:
                print(f"({path} cannot be shown: {error})")
        if len(new) > _MOST_IMAGES:
            print(f"({len(new) - _MOST_IMAGES} more images)")


def _show(path: Path) -> None:
    from IPython.display import SVG, Image, display

    kind = path.suffix.lower()
    if kind == ".svg":
        display(SVG(data=path.read_text()))
    elif kind in _SHOWN_BY_BROWSERS:
        display(Image(data=path.read_bytes(), format=_SHOWN_BY_BROWSERS[kind]))
    else:
        display(Image(data=png_of_netpbm(path.read_bytes()), format="png"))


def page(text: str, height: int = 600) -> None:
    """A whole HTML page in a frame of its own, which keeps its styles from the notebook's."""
    from IPython.display import HTML, display

    frame = f'<iframe sandbox="allow-scripts" style="width:100%;border:0" height="{height}" srcdoc="{html.escape(text)}"></iframe>'
    display(HTML(frame))
