"""The options of a magic: an argparse whose mistakes are an exception, and lists of words that begin with dashes."""

from __future__ import annotations

import argparse
import shlex
from typing import Any


class Words(argparse.ArgumentParser):
    """A parser whose mistakes do not end the interpreter."""

    def error(self, message: str) -> Any:
        raise ValueError(f"{self.prog}: {message}\n{self.format_usage()}")


_LISTS = {"-a": "--args", "-c": "--compiler-args", "-l": "--profiler-args"}
_LISTS |= {long: long for long in _LISTS.values()}


def split(line: str) -> list[str]:
    """The words of the line. argparse takes no value that begins with a dash, as flags of a compiler do, unless it is
    joined to its option."""
    words = iter(shlex.split(line))
    joined = []
    for word in words:
        value = next(words, None) if word in _LISTS else None
        joined.append(word if value is None else f"{_LISTS[word]}={value}")
    return joined


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """How a program is compiled and run."""
    parser.add_argument("--check", action="store_true", help="run with the checkers")
    parser.add_argument("-p", "--profile", action="store_true", help="run with the profiler")
    parser.add_argument("-l", "--profiler-args", default="", help="options of `warpwise profile`")
    parser.add_argument("--trace", nargs="?", const="", metavar="FILE", help="record a block's warps and show them")
    parser.add_argument("--html", action="store_true", help="with --profile: show the report as a page")
    parser.add_argument("--device", default=None, help="the GPU to model")
    parser.add_argument("--on", default=None, help="where kernels run: virtual, gpu, gpu:N")
    parser.add_argument("-t", "--timeit", action="store_true", help="say how long the program ran")
    parser.add_argument("-a", "--args", default="", help="arguments of the program")
    parser.add_argument("-c", "--compiler-args", default="", help="flags of the compiler")
