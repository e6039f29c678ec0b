"""Programs in cells: run as `warpwise run`, `check` or `profile` runs files. The cell shows what they print and draw."""

from __future__ import annotations

import argparse
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Sequence

from .._native import installation
from .._thread_view import HEIGHT
from .._trace import Recording
from . import show

_PATIENCE = 3  # seconds, after ^C


def stream(words: Sequence[str]) -> int:
    """Runs a program; its output appears as it comes."""
    program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    try:
        for line in program.stdout or ():
            sys.stdout.write(line)
        return program.wait()
    except KeyboardInterrupt:
        program.terminate()
        try:
            program.wait(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:  # it has a handler for the signal
            program.kill()
            program.wait()
        raise


def run(options: argparse.Namespace, sources: Sequence[Path]) -> None:
    if sum((options.check, options.profile, options.trace is not None)) > 1:
        raise ValueError("%%cuda: one of --check, --profile and --trace")
    if options.html and not options.profile:
        raise ValueError("%%cuda: --html goes with --profile: the report of --check is text")
    tool = str(installation() / "bin" / "warpwise")
    traces = options.trace is not None
    words = [tool, "check" if options.check else "profile" if options.profile else "trace" if traces else "run"]
    words += [f"--{name}={value}" for name in ("device", "on") if (value := getattr(options, name))]
    if options.profile:
        words += shlex.split(options.profiler_args)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        recording = Path(options.trace or Path(folder) / "cell.wwt")
        if traces:
            words += [f"--output={recording}"] if options.trace else [f"--output={recording}", "--quiet"]
        if options.html:
            words.append(f"--html={page}")
        words += [*shlex.split(options.compiler_args), *map(str, sources), *shlex.split(options.args)]
        images = show.Images()
        begun = time.perf_counter()
        code = stream(words)
        seconds = time.perf_counter() - begun
        if traces and recording.exists():
            stream([tool, "view", str(recording)])
            show.page(Recording(recording).page(), HEIGHT)
        images.show_new()
        if page.exists():
            show.page(page.read_text())
    if options.timeit:
        print(f"({seconds:.3f} s)")
    if code < 0:
        print(f"(ended by {signal.Signals(-code).name}: {(signal.strsignal(-code) or '').lower()})")
    elif code:
        print(f"(exit code {code})")
