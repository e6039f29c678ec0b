"""`%load_ext warpwise`: cells of CUDA.

    %%cuda                      a program (main): compiled and run
    %%cuda --check              ... with the checkers; --profile: with the profiler; --html: the report as a page
    %%cuda --trace              ... and what the warps of a block do, step by step
    %%cuda --device=a100        ... on another GPU; --on=gpu: on a real one
    %%cuda                      functions without main: they become functions of the notebook, scale[1, 32](x)
    %%cuda --name=steps         ... as the module `steps`
    %%puzzle map                a solution of a problem of the lab: judged
    %%cuda_group_save -n a.cu -g prog   a file of a program of several; %%cuda_group_run -g prog runs it

Image files that a program writes are shown below its cell. Names and options of nvcc4jupyter mean here what they mean
there: %%cu, -t, -p, -l, -a, -c, and the groups.
"""

from __future__ import annotations

from typing import Any

from . import cuda, groups, puzzle


def register(shell: Any) -> None:
    """Gives a shell of IPython the magics."""

    def bind(function: Any) -> Any:
        def magic(line: str, cell: str | None = None) -> Any:
            return function(line, cell or "", shell)

        return magic

    cells = {
        "cuda": cuda.cuda,
        "cu": cuda.cuda,
        "puzzle": puzzle.puzzle,
        "cuda_group_save": groups.save,
        "cuda_group_run": groups.run,
    }
    for name, function in cells.items():
        shell.register_magic_function(bind(function), magic_kind="cell", magic_name=name)
    for name, function in {"cuda_group_run": groups.run, "cuda_group_delete": groups.delete}.items():
        shell.register_magic_function(bind(function), magic_kind="line", magic_name=name)


__all__ = ["register"]
