#!/usr/bin/env python3
"""Writes the tables of measured times into the READMEs of the ladders in kernels/.

    scripts/ladder_tables.py kernels/measured/h200.json                              the tables of a file
    scripts/ladder_tables.py --take RESULT.json... > kernels/measured/h200_libraries.json
    scripts/ladder_tables.py --beside kernels/measured/h200_one_run.json > kernels/measured/one_run.md

--take makes such a file of what `warpwise ladder NAME --on=gpu --json=RESULT.json` has measured.

--beside makes one table of what `scripts/beside_torch.py --json=FILE` has measured in one run: of each ladder and shape
the fastest step and the fastest library.

A README holds the two lines `<!-- measured -->` and `<!-- end of measured -->`; what stands between them is replaced.
The file has the machine, and a result for each ladder, shape and step: the median, the least and the largest time in
microseconds. `copy` and `read` are what copying or reading as many bytes takes, `torch` is PyTorch's function, `library NAME`
a peer's. Where results have `flops`, the table tells operations per second; else the share of what copying or reading
takes, or, where that was not measured, of the bandwidth of copying.
Results with `on` are of steps that calculate elsewhere than the ladder says: `tensor_f16`.
Results with `later` have that mark, and the machine's `later` says of each mark when and how they were measured.
"""
import datetime
import json
import pathlib
import sys

BEGIN, END = "<!-- measured -->", "<!-- end of measured -->"
READERS = {"sum", "histogram", "sgemv", "sgemv_bf16", "top_k"}  # what writes next to nothing is held against reading
NAMES = {"copy": "copy", "read": "reading", "torch": "PyTorch", "torch cudnn": "PyTorch, cuDNN",
         "torch flash": "PyTorch, flash", "cub": "CUB"}


def title(step):
    return NAMES.get(step, step.removeprefix("library "))


def table(ladder, results, machine):
    computes = "flops" in results[0]
    roof = None if computes else "read" if ladder in READERS else "copy"
    if roof not in {r["step"] for r in results}:
        roof = None
    beside = ("TOP/s" if "int8" in ladder else "TFLOP/s") if computes else "share of " + NAMES[roof or "copy"]
    shapes = list(dict.fromkeys(r["shape"] for r in results))
    steps = [s for s in dict.fromkeys(r["step"] for r in results) if s not in ("copy", "read") or s == roof]
    steps.sort(key=lambda step: (step.startswith("library "), step not in NAMES, "" if step in NAMES else step))
    found = {(r["shape"], r["step"]): r for r in results}
    apart = {r["step"]: r["on"] for r in results if "on" in r}  # steps that calculate elsewhere

    def name_of(step):
        return title(step) + (f" (on {apart[step]})" if step in apart else "")

    lines = [f"| µs, and {beside} | " + " | ".join(shapes) + " |", "|---|" + "---:|" * len(shapes)]
    if len(shapes) > 6:  # a column for each step
        lines = [f"| µs, and {beside} | " + " | ".join(name_of(s) for s in steps) + " |", "|---|" + "---:|" * len(steps)]

    def cell(shape, step):
        result = found.get((shape, step))
        if result is None:
            return ""
        us = result["us"]
        time = (f"{us:.0f}" if us >= 100 else f"{us:.1f}") + result.get("later", "")
        if computes:
            speed = result["flops"] / us / 1e6
            return f"{time}, {speed:.0f}" if speed >= 100 else f"{time}, {speed:.1f}"
        if roof is None:
            return f"{time}, {result['of_copy']:.2f}"
        return time if step == roof else f"{time}, {found[shape, roof]['us'] / us:.2f}"

    if len(shapes) > 6:
        lines += [f"| {shape} | " + " | ".join(cell(shape, step) for step in steps) + " |" for shape in shapes]
    else:
        lines += [f"| {name_of(step)} | " + " | ".join(cell(shape, step) for shape in shapes) + " |" for step in steps]
    torch = f", PyTorch {machine['torch']}" if any(step.startswith("torch") for step in steps) else ""
    where = "{device}, driver {driver}, {compiler}{torch}, {date}".format(**{**machine, "torch": torch})
    marks = {r["later"] for r in results if "later" in r}
    later = [line for mark in sorted(marks) for line in (f"With {mark}: measured {machine['later'][mark]}.", "")]
    return "\n".join([f"Measured on one {where}: {machine['how']}.", ""] + later + lines)


def taken(files):
    """What --take writes: the measurements of `warpwise ladder --json`."""
    results, machine, counts = [], None, []
    for measured in (json.loads(pathlib.Path(file).read_text()) for file in files):
        machine = {"device": measured["device"], "driver": measured["driver"], "compiler": "Clang 19, -O3, PTX by the driver"}
        for shape in measured["shapes"]:
            for version in shape["versions"]:
                if version["verdict"] != "right":
                    continue
                step = f"library {version['peer']}" if version.get("peer") else version["name"]
                result = {"ladder": measured["ladder"], "shape": shape["name"], "step": step, "runs": version["runs"]}
                result |= {key: round(1e6 * version[name], 3) for key, name in (("us", "seconds"), ("low", "low"), ("high", "high"))}
                if "calculates" in version:
                    result["on"] = version["calculates"]["unit"]
                if shape["roof"] == "compute" or shape["flops"] > 100 * shape["bytes"]:
                    result["flops"] = round(shape["flops"])
                else:
                    result["of_copy"] = round(shape["bytes"] / version["seconds"] / measured["copy_bytes_per_second"], 3)
                results.append(result)
                counts.append(version["runs"])
    runs = f"median of {min(counts)} to {max(counts)} runs timed by events, in rounds with fresh inputs"
    machine["date"] = datetime.date.today().isoformat()
    machine["how"] = f"{runs}; the L2 cache is flushed before each; results are compared with the reference"
    return {"machine": machine, "results": results}


def is_library(step):
    return step.startswith(("library ", "torch")) or step == "cub"


def later_of(machine):
    return "".join(f", but for shapes with {mark}: {when}" for mark, when in machine.get("later", {}).items())


def beside(data):
    """What --beside writes."""
    machine, rows = data["machine"], {}
    for result in data["results"]:
        rows.setdefault((result["ladder"], result["shape"]), []).append(result)
    lines = [
        "# Every ladder beside the libraries, in one run",
        "",
        f"Measured on one {machine['device']}, driver {machine['driver']}, {machine['compiler']}, PyTorch {machine['torch']}, "
        f"{machine['date']}: {machine['how']} (attention, whose outputs `warpwise bench --on=gpu` compares). All figures are of one "
        f"run{later_of(machine)}. The bounds of error are the tolerances in each folder's ladder.toml.",
        "",
        "The fastest step and the fastest library of each shape, in µs. What moves memory is held against reading or copying as "
        "many bytes, what multiplies tells its operations per second. Made of [h200_one_run.json](h200_one_run.json) by "
        "`scripts/ladder_tables.py --beside`.",
        "",
        "| Ladder | Shape | Step | µs | Library | µs | Library / step | Reached |",
        "|---|---|---|---:|---|---:|---:|---:|",
    ]
    for (ladder, shape), results in rows.items():
        us = {r["step"]: r["us"] for r in results}
        mark = results[0].get("later", "")  # all of a shape are of one run
        library = min((step for step in us if is_library(step)), key=us.get)
        steps = [r for r in results if not is_library(r["step"]) and r["step"] not in ("copy", "read")]
        for unit in sorted({r.get("on", "") for r in steps}):  # steps that calculate elsewhere, apart
            step = min((r["step"] for r in steps if r.get("on", "") == unit), key=us.get)
            flops, roof = results[-1].get("flops"), "read" if ladder in READERS else "copy"
            per_second = "TOP/s" if "int8" in ladder else "TFLOP/s"
            reached = f"{flops / us[step] / 1e6:.0f} {per_second}" if flops else f"{us[roof] / us[step]:.2f} of {NAMES[roof]}"
            ours = f"[{ladder}](../{ladder}/README.md) | {shape}{mark} | {step}{f' (on {unit})' if unit else ''} | {us[step]:.1f}"
            lines.append(f"| {ours} | {title(library)} | {us[library]:.1f} | {us[library] / us[step]:.2f} | {reached} |")
    return "\n".join(lines)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--beside":
        print(beside(json.loads(pathlib.Path(sys.argv[2]).read_text())))
        return
    if len(sys.argv) > 2 and sys.argv[1] == "--take":
        head, *rows = json.dumps(taken(sys.argv[2:]), ensure_ascii=False).replace(", {\"ladder\"", ",{\"ladder\"").split('{"ladder"')
        print(head + "".join('\n{"ladder"' + row for row in rows))  # a result a line
        return
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
