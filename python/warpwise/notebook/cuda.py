"""%%cuda: a program is run, and functions without a main() become functions of the notebook."""

from __future__ import annotations

import argparse
import re
import shlex
from typing import Any

from ..module import Module, _file_of, load
from .run import run
from .words import Words, add_run_options, split


def _parser() -> Words:
    parser = Words(prog="%%cuda", add_help=False)
    add_run_options(parser)
    parser.add_argument("--name", default=None, help="of a module, when the cell has no main()")
    return parser


def _has_main(source: str) -> bool:
    return re.search(r"\bint\s+main\s*\(", re.sub(r"//[^\n]*|/\*.*?\*/", "", source, flags=re.S)) is not None


def _bind(shell: Any, options: argparse.Namespace, source: str) -> Module:
    """The functions of a cell as names of the notebook."""
    module = load(source=source, flags=shlex.split(options.compiler_args), name=f"{options.name or 'cell'}.cu")
    names = {name.replace("::", "_"): module[name] for name in module}
    shell.push({options.name: module} if options.name else names)
    return module


def cuda(line: str, cell: str, shell: Any) -> Any:
    options = _parser().parse_args(split(line))
    if _has_main(cell):
        return run(options, [_file_of(cell, "cell.cu")])
    if options.check or options.profile or options.trace is not None or options.device or options.on or options.args:
        raise ValueError(
            "%%cuda: a cell without main() only compiles: use ww.check(...) and ww.profile(...) around its functions, and "
            "ww.open_gpu(...) for another GPU"
        )
    return _bind(shell, options, cell)
