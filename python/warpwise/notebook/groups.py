"""%%cuda_group_save, %cuda_group_run, %cuda_group_delete: programs of several files, under nvcc4jupyter's names."""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from . import run as runner
from .words import Words, add_run_options, split

SHARED = "shared"  # headers of all groups

_folder: Path | None = None


def _root() -> Path:
    """The files of this session; the system removes them."""
    global _folder
    if _folder is None:
        _folder = Path(tempfile.mkdtemp(prefix="warpwise-cells-"))
    return _folder


def _named(text: str) -> str:
    if not re.fullmatch(r"[\w.-]+", text) or text.startswith("."):
        raise argparse.ArgumentTypeError(f"`{text}` cannot be a name: letters, digits, dots, dashes and underscores")
    return text


def save(line: str, cell: str, shell: Any) -> None:
    parser = Words(prog="%%cuda_group_save", add_help=False)
    parser.add_argument("-n", "--name", type=_named, required=True, help="of the file: main.cu, tools.h")
    parser.add_argument("-g", "--group", type=_named, required=True, help=f"of the program, or {SHARED}")
    options = parser.parse_args(split(line))
    folder = _root() / options.group
    folder.mkdir(exist_ok=True)
    (folder / options.name).write_text(cell)


def run(line: str, cell: str, shell: Any) -> None:
    parser = Words(prog="%cuda_group_run", add_help=False)
    parser.add_argument("-g", "--group", type=_named, required=True)
    add_run_options(parser)
    options = parser.parse_args(split(line))
    folder = _root() / options.group
    sources = sorted(p for p in folder.glob("*") if p.suffix in (".cu", ".cpp", ".cc", ".c"))
    if not sources:
        raise ValueError(f"%cuda_group_run: the group `{options.group}` has no source: save one with %%cuda_group_save")
    options.compiler_args += f" -I{folder} -I{_root() / SHARED}"
    runner.run(options, sources)


def delete(line: str, cell: str, shell: Any) -> None:
    parser = Words(prog="%cuda_group_delete", add_help=False)
    parser.add_argument("-g", "--group", type=_named, required=True)
    shutil.rmtree(_root() / parser.parse_args(split(line)).group, ignore_errors=True)
