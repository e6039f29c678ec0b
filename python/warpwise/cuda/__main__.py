"""`python3 -m warpwise.cuda [--check|--profile] script.py ...`"""

from .._script import run

if __name__ == "__main__":
    run("warpwise.cuda")
