#!/usr/bin/env python3
"""Writes the tables of measured times into the READMEs of the ladders in kernels/.

    scripts/ladder_tables.py kernels/measured/h200.json

A README holds the two lines `<!-- measured -->` and `<!-- end of measured -->`; what stands between them is replaced.
The file has the machine, and a result for each ladder, shape and step: the median, the least and the largest time in
microseconds. `copy` and `read` are what copying or reading as many bytes takes, `torch` is PyTorch's function.
"""
import json
import pathlib
import sys

BEGIN, END = "<!-- measured -->", "<!-- end of measured -->"
READERS = {"sum", "histogram", "sgemv", "sgemv_bf16", "top_k"}  # what writes next to nothing is held against reading
NAMES = {"copy": "copy", "read": "reading", "torch": "PyTorch"}


def table(ladder, results, machine):
    roof = "read" if ladder in READERS else "copy"
    shapes = list(dict.fromkeys(r["shape"] for r in results))
    steps = [s for s in dict.fromkeys(r["step"] for r in results) if s not in ("copy", "read") or s == roof]
    time = {(r["shape"], r["step"]): r["us"] for r in results}
    lines = ["| µs, and share of " + NAMES[roof] + " | " + " | ".join(shapes) + " |", "|---|" + "---:|" * len(shapes)]
    for step in steps:
        cells = []
        for shape in shapes:
            us = time.get((shape, step))
            share = "" if us is None or step == roof else f", {time[shape, roof] / us:.2f}"
            cells.append("" if us is None else f"{us:.0f}{share}" if us >= 100 else f"{us:.1f}{share}")
        lines.append(f"| {NAMES.get(step, step)} | " + " | ".join(cells) + " |")
    where = "{device}, driver {driver}, {compiler}, PyTorch {torch}, {date}".format(**machine)
    return "\n".join([f"Measured on one {where}: {machine['how']}.", ""] + lines)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    data = json.loads(path.read_text())
    kernels = path.resolve().parent.parent
    for ladder in sorted({r["ladder"] for r in data["results"]}):
        readme = kernels / ladder / "README.md"
        text = readme.read_text()
        if BEGIN not in text or END not in text:
            sys.exit(f"{readme}: no place for a table: `{BEGIN}` and `{END}` are missing")
        before, rest = text.split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        rows = [r for r in data["results"] if r["ladder"] == ladder]
        readme.write_text(before + BEGIN + "\n" + table(ladder, rows, data["machine"]) + "\n" + END + after)


if __name__ == "__main__":
    main()
