"""%%puzzle map: the cell is a solution of a problem of the lab, and `warpwise lab` judges it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from .._native import installation
from .run import stream
from .words import Words, split


def puzzle(line: str, cell: str, shell: Any) -> None:
    parser = Words(prog="%%puzzle", add_help=False)
    parser.add_argument("problem", help="map, puzzles/map; `warpwise lab list` names them all")
    parser.add_argument("--test", action="store_true", help="the sample cases only")
    parser.add_argument("--device", default=None, help="the GPU to model")
    parser.add_argument("--no-sandbox", action="store_true", help="where this machine cannot build the sandbox")
    options = parser.parse_args(split(line))
    words = [str(installation() / "bin" / "warpwise"), "lab", "test" if options.test else "submit"]
    words += [f"--device={options.device}"] if options.device else []
    words += ["--no-sandbox"] if options.no_sandbox else []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{Path(options.problem).name}.cu"
        file.write_text(cell)
        stream([*words, options.problem, str(file)])
