"""`python3 -m warpwise …`: the program `warpwise` that the package brings along."""

from __future__ import annotations

import os
import sys

from ._native import installation


def main() -> None:
    program = installation() / "bin" / "warpwise"
    os.execv(program, ["warpwise", *sys.argv[1:]])


if __name__ == "__main__":
    main()
