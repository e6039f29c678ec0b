"""`python3 -m warpwise.numba script.py`: a script that knows nothing of Warpwise, with a library led to the virtual GPU."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import runpy
import sys
from pathlib import Path
from typing import Any

from . import _gpu
from ._watch import check, profile


def _parse(package: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"python3 -m {package}", description="runs a script on the virtual GPU")
    parser.add_argument("--check", action="store_true", help="report what its kernels do wrong; exit code 1 if anything")
    parser.add_argument("--profile", action="store_true", help="report what its kernels would cost")
    parser.add_argument("--device", default="h100", help="the GPU to model")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="of the script")
    options = parser.parse_args()
    if options.check and options.profile:
        parser.error("--check or --profile, not both")
    return options


def run(package: str) -> None:
    """The body of a package's __main__."""
    options = _parse(package)
    _gpu.open_gpu(options.device)
    importlib.import_module(package)
    sys.argv = [options.script, *options.arguments]
    sys.path[0] = str(Path(options.script).resolve().parent)
    report: Any = check() if options.check else profile() if options.profile else None
    try:
        with report if report is not None else contextlib.nullcontext():
            runpy.run_path(options.script, run_name="__main__")
    finally:
        if report is not None:
            sys.stdout.flush()
            print(report)
    if options.check and not report.clean:
        sys.exit(1)
