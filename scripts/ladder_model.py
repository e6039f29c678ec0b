#!/usr/bin/env python3
"""The model beside the ladders: each step's modelled time and its measured one.

    scripts/ladder_model.py WARPWISE [--device=h200] [--shape=NAME] [--json=FILE] [LADDER...]

Measured times are those of kernels/measured/DEVICE*.json. Of each ladder the shape with the least work that has at least
three measured steps is modelled, or that of --shape. Every thread is simulated, so a ladder takes from seconds to
minutes. What is promised: a rank correlation of 0.9 in each ladder, and a median error of 25 %, or 35 % where steps
calculate with tensor cores.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import tomllib

from model_table import digits, spearman

KERNELS = pathlib.Path(__file__).resolve().parent.parent / "kernels"


def measured(device):
    """Microseconds by ladder, shape and step."""
    found = {}
    for file in sorted((KERNELS / "measured").glob(f"{device}*.json")):
        for r in json.loads(file.read_text())["results"]:
            if r["step"][:1].isdigit():
                found.setdefault(r["ladder"], {}).setdefault(r["shape"], {})[r["step"]] = r["us"]
    return found


def work(ladder, shape):
    toml = tomllib.loads((KERNELS / ladder / "ladder.toml").read_text())
    sizes = next(s["sizes"] for s in toml["shape"] if s["name"] == shape)
    known = {"ceil_div": lambda a, b: -(-a // b), "min": min, "max": max} | sizes
    return sum(eval(toml["work"][key].replace("/", "//"), {"__builtins__": {}}, known) for key in ("bytes", "flops"))


def modelled(warpwise, device, ladder, shape, steps):
    files = [str(KERNELS / ladder / f"{step}.cu") for step in steps]
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "modelled.json"
        command = [warpwise, "bench", f"--device={device}", f"--ladder={KERNELS / ladder}", f"--shape={shape}", f"--json={out}"]
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
    arguments.add_argument("--json", type=pathlib.Path)
    words = arguments.parse_intermixed_args()
    all_results, kept = measured(words.device), {}
    for ladder in words.ladders or sorted(all_results):
        shapes = {name: steps for name, steps in all_results[ladder].items() if len(steps) >= 3 and "," not in name}
        if not shapes:
            print(f"{ladder}: no shape with three measured steps, and a name without a comma, which `bench --shape` would split")
            continue
        shape = words.shape or min(shapes, key=lambda name: work(ladder, name))
        theirs = all_results[ladder][shape]
        ours = modelled(words.warpwise, words.device, ladder, shape, sorted(theirs))
        steps = [step for step in sorted(theirs) if step in ours]
        errors = [ours[step] / theirs[step] - 1 for step in steps]
        rank = spearman([ours[step] for step in steps], [theirs[step] for step in steps])
        print(f"{ladder} {shape}: rank correlation {rank:.2f}, median error {100 * statistics.median(map(abs, errors)):.0f} %; "
              + ", ".join(f"{step} {digits(theirs[step])} µs, modelled {100 * e:+.0f} %" for step, e in zip(steps, errors)), flush=True)
        kept[ladder] = {"shape": shape, "rank": rank, "steps": {s: {"measured": theirs[s], "modelled": ours[s]} for s in steps}}
        if words.json:
            words.json.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
