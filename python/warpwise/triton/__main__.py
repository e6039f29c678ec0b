"""`python3 -m warpwise.triton [--check|--profile] script.py ...`"""

from .._script import run

if __name__ == "__main__":
    run("warpwise.triton")
