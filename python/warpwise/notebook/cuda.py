"""`%load_ext warpwise`: cells of CUDA.

    %%cuda                      a program (main): compiled and run
    %%cuda --check              ... with the checkers; --profile: with the profiler
    %%cuda --device=a100        ... on another GPU
    %%cuda                      functions without main: they become functions of the notebook, scale[1, 32](x)
    %%cuda --name=steps         ... as the module `steps`

The options of nvcc4jupyter that mean something here are taken, too: -p, -a (arguments of the program), -c (flags of the
compiler), -t (how long it took).
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import time
from typing import Any

from ._native import installation
from .module import Module, _file_of, load


class _Words(argparse.ArgumentParser):
    """A parser whose mistakes do not end the interpreter."""

    def error(self, message: str) -> Any:
        raise ValueError(f"%%cuda: {message}\n{self.format_usage()}")


def _parser() -> _Words:
    parser = _Words(prog="%%cuda", add_help=False)
    parser.add_argument("--check", action="store_true", help="run with the checkers")
    parser.add_argument("-p", "--profile", action="store_true", help="run with the profiler")
    parser.add_argument("--device", default=None, help="the GPU to model")
    parser.add_argument("--name", default=None, help="of a module, when the cell has no main()")
    parser.add_argument("-t", "--timeit", action="store_true", help="say how long the program ran")
    parser.add_argument("-a", "--args", default="", help="arguments of the program")
    parser.add_argument("-c", "--compiler-args", default="", help="flags of the compiler")
    return parser


_LISTS = {"-a": "--args", "--args": "--args", "-c": "--compiler-args", "--compiler-args": "--compiler-args"}


def _words(line: str) -> list[str]:
    """The words of the line. argparse takes no value that begins with a dash, as flags of a compiler do, unless it is
    joined to its option."""
    words = iter(shlex.split(line))
    joined = []
    for word in words:
        value = next(words, None) if word in _LISTS else None
        joined.append(word if value is None else f"{_LISTS[word]}={value}")
    return joined


def _has_main(source: str) -> bool:
    return re.search(r"\bint\s+main\s*\(", re.sub(r"//[^\n]*|/\*.*?\*/", "", source, flags=re.S)) is not None


def _run_program(options: argparse.Namespace, source: str) -> int:
    """Runs a cell as `warpwise run`, `check` or `profile` runs a file; the cell shows what it prints."""
    command = "check" if options.check else "profile" if options.profile else "run"
    words: list[str] = [str(installation() / "bin" / "warpwise"), command]
    if options.device:
        words.append(f"--device={options.device}")
    words += [*shlex.split(options.compiler_args), str(_file_of(source, "cell.cu")), *shlex.split(options.args)]
    begun = time.perf_counter()
    program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    try:
        for line in program.stdout or ():
            sys.stdout.write(line)
        code = program.wait()
    except KeyboardInterrupt:
        program.terminate()
        program.wait()
        raise
    if options.timeit:
        print(f"({time.perf_counter() - begun:.3f} s)")
    return code


def _bind(shell: Any, options: argparse.Namespace, source: str) -> Module:
    """The functions of a cell as names of the notebook."""
    module = load(source=source, flags=shlex.split(options.compiler_args), name=f"{options.name or 'cell'}.cu")
    names = {name.replace("::", "_"): module[name] for name in module}
    shell.push({options.name: module} if options.name else names)
    return module


def cuda(line: str, cell: str, shell: Any) -> Any:
    """%%cuda."""
    options = _parser().parse_args(_words(line))
    if _has_main(cell):
        code = _run_program(options, cell)
        if code:
            print(f"(exit code {code})")
        return None
    if options.check or options.profile or options.device or options.args:
        raise ValueError(
            "%%cuda: a cell without main() only compiles: use ww.check(...) and ww.profile(...) around its functions, and "
            "ww.open_gpu(...) for another GPU"
        )
    return _bind(shell, options, cell)


def register(shell: Any) -> None:
    """Gives a shell of IPython the magic."""

    def magic(line: str, cell: str) -> Any:
        return cuda(line, cell, shell)

    for name in ("cuda", "cu"):
        shell.register_magic_function(magic, magic_kind="cell", magic_name=name)


__all__ = ["register"]
