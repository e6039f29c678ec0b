#!/usr/bin/env python3
"""The model beside the ladders: each step's modelled time and its measured one.

    scripts/ladder_model.py WARPWISE [--device=h200] [--shape=NAME] [--compiler=NAME] [--json=FILE] [LADDER...]

Measured times are those of kernels/measured/DEVICE*.json. Of each ladder the shape with the least work that has at least
three measured steps is modelled, or that of --shape; each step is compiled by the compiler with which it was measured, or
by that of --compiler. Every thread is simulated, so a ladder takes from seconds to minutes. What is promised: a rank
correlation of 0.9 in each ladder, and a median error of 25 %, or 35 % where steps calculate with tensor cores.

Steps whose measured intervals overlap have no order that a model could be right about: they share a rank. The rank
correlation of the medians as they are stands behind it where it is another.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import tomllib
import typing

from model_table import correlation, digits, ranks

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels"


class Time(typing.NamedTuple):
    us: float
    low: float
    high: float
    compiler: str


def measured(device):
    """A Time by ladder, shape and step."""
    found = {}
    for file in sorted((KERNELS / "measured").glob(f"{device}*.json")):
        content = json.loads(file.read_text())
        machine = content["machine"]
        for r in content["results"]:
            if r["step"][:1].isdigit():
                how = machine["later"][r["later"]] if r.get("later") else machine["compiler"]
                time = Time(r["us"], r["low"], r["high"], "clang" if "Clang" in how else "nvcc")
                found.setdefault(r["ladder"], {}).setdefault(r["shape"], {})[r["step"]] = time
    return found


def measured_ranks(times):
    """Those of neighbours whose intervals overlap are the same."""
    order = sorted(range(len(times)), key=lambda n: times[n].us)
    groups = []
    for n in order:
        if groups and times[n].low <= max(times[m].high for m in groups[-1]):
            groups[-1].append(n)
        else:
            groups.append([n])
    plain, result = ranks([time.us for time in times]), [0.0] * len(times)
    for group in groups:
        for n in group:
            result[n] = statistics.mean(plain[m] for m in group)
    return result


def work(ladder, shape):
    toml = tomllib.loads((KERNELS / ladder / "ladder.toml").read_text())
    sizes = next(s["sizes"] for s in toml["shape"] if s["name"] == shape)
    known = {"ceil_div": lambda a, b: -(-a // b), "min": min, "max": max} | sizes
    return sum(eval(toml["work"][key].replace("/", "//"), {"__builtins__": {}}, known) for key in ("bytes", "flops"))


def modelled(warpwise, device, ladder, shape, compiler, steps):
    files = [str(KERNELS / ladder / f"{step}.cu") for step in steps]
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "modelled.json"
        command = [warpwise, "bench", f"--device={device}", f"--ladder={KERNELS / ladder}", f"--shape={shape}",
                   f"--compiler={compiler}", f"--json={out}"]
        run = subprocess.run(command + files, capture_output=True, text=True)
        if run.returncode != 0 or not out.exists():
            raise SystemExit(f"{ladder}: {run.stdout}{run.stderr}")
        versions = json.loads(out.read_text())["shapes"][0]["versions"]
    return {v["name"]: 1e6 * v["seconds"] for v in versions if v["verdict"] == "right"}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("warpwise")
    arguments.add_argument("ladders", nargs="*", metavar="LADDER")
    arguments.add_argument("--device", default="h200")
    arguments.add_argument("--shape")
    arguments.add_argument("--compiler")
    arguments.add_argument("--json", type=pathlib.Path)
    words = arguments.parse_intermixed_args()
    all_results, kept = measured(words.device), {}
    for ladder in words.ladders or sorted(all_results):
        shapes = {name: steps for name, steps in all_results[ladder].items() if len(steps) >= 3}
        if not shapes:
            print(f"{ladder}: no shape with three measured steps")
            continue
        shape = words.shape or min(shapes, key=lambda name: work(ladder, name))
        theirs = all_results[ladder][shape]
        by_compiler = {}
        for step in sorted(theirs):
            by_compiler.setdefault(words.compiler or theirs[step].compiler, []).append(step)
        ours = {}
        for compiler, of_it in by_compiler.items():
            ours |= modelled(words.warpwise, words.device, ladder, shape, compiler, of_it)
        steps = [step for step in sorted(theirs) if step in ours]
        errors = [ours[step] / theirs[step].us - 1 for step in steps]
        times, our_ranks = [theirs[step] for step in steps], ranks([ours[step] for step in steps])
        rank, strict = correlation(our_ranks, measured_ranks(times)), correlation(our_ranks, ranks([time.us for time in times]))
        print(f"{ladder} {shape}: rank correlation {rank:.2f}{f' ({strict:.2f})' if f'{strict:.2f}' != f'{rank:.2f}' else ''}, "
              f"median error {100 * statistics.median(map(abs, errors)):.0f} %; "
              + ", ".join(f"{step} {digits(theirs[step].us)} µs, modelled {100 * e:+.0f} %" for step, e in zip(steps, errors)), flush=True)
        kept[ladder] = {"shape": shape, "rank": rank, "rank_of_medians": strict,
                        "steps": {s: {"measured": theirs[s].us, "modelled": ours[s]} for s in steps}}
        if words.json:
            words.json.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
