#!/usr/bin/env python3
"""The table of docs/model.md: the steps of kernels/sgemm by the model, beside published measurements.

    scripts/model_table.py build/bin/warpwise [--n=4096] [--compiler=clang|nvcc] [--write] [--json=FILE]

Without --write the table goes to standard output; with it, between the marks of docs/model.md.
"""
import argparse, json, os, re, subprocess, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# 4096³, single precision, RTX A6000, GFLOP/s: the README of github.com/siboehm/SGEMM_CUDA. The kernels are ours, after their
# descriptions; no constant of the model was fitted to these numbers.
PUBLISHED = {
    "01_naive": 309, "02_coalesced": 1987, "03_shared_tiles": 2980, "04_thread_column": 8475, "05_thread_square": 15972,
    "06_vectorised": 18237, "07_linear_layout": 16213, "08_padded_rows": 16459, "09_double_buffer": 17278, "10_tuned": 19721,
    "11_warp_tiles": 21779,
}


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0] * len(values)
    for rank, i in enumerate(order):
        result[i] = rank
    return result


def spearman(a, b):
    n = len(a)
    return 1 - 6 * sum((x - y) ** 2 for x, y in zip(ranks(a), ranks(b))) / (n * (n * n - 1))


def profile(warpwise, step, n, compiler):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "profile.json")
        command = [warpwise, "profile", "-q", "--device=a6000", "--json", out]
        if compiler:
            command.append("--compiler=" + compiler)
        run = subprocess.run(command + [os.path.join(ROOT, "kernels/sgemm", step + ".cu"), str(n)], capture_output=True, text=True)
        if run.returncode != 0:
            raise SystemExit(f"{step}: {run.stdout}{run.stderr}")
        return json.load(open(out))["model"]["kernels"][0]


arguments = argparse.ArgumentParser()
arguments.add_argument("warpwise")
arguments.add_argument("--n", type=int, default=4096)
arguments.add_argument("--compiler", default="")
arguments.add_argument("--write", action="store_true")
arguments.add_argument("--json", default="")
a = arguments.parse_args()

rows, ours, theirs, kept = [], [], [], {}
for step, published in PUBLISHED.items():
    kernel = profile(a.warpwise, step, a.n, a.compiler)
    kept[step] = kernel
    rate = lambda seconds: 2 * a.n**3 / seconds / 1e9
    model = rate(kernel["seconds"])
    ours.append(model)
    theirs.append(published)
    rows.append(f"| {step[3:].replace('_', ' ')} | {published:,} | {model:,.0f} | {100 * (model / published - 1):+.0f} % | "
                f"{rate(kernel['seconds_high']):,.0f} to {rate(kernel['seconds_low']):,.0f} | {kernel['limiter']} | {kernel['next_limiter']} |")
within = sum(abs(o / t - 1) <= 0.25 for o, t in zip(ours, theirs))
errors = sorted(abs(o / t - 1) for o, t in zip(ours, theirs))
table = "\n".join([f"{a.n}³, RTX A6000, GFLOP/s. Spearman's rank correlation {spearman(ours, theirs):.2f}; within 25 %: {within} of {len(rows)}; "
                   f"median error {100 * errors[len(errors) // 2]:.0f} %.", "",
                   "| step | published | model | error | its range | limiter | next |", "|---|---:|---:|---:|---:|---|---|"] + rows)
print(table)
if a.json:
    json.dump(kept, open(a.json, "w"), indent=1)
if a.write:
    page = os.path.join(ROOT, "docs/model.md")
    text = open(page).read()
    text = re.sub(r"(<!-- sgemm -->\n).*?(<!-- /sgemm -->)", lambda m: m.group(1) + table + "\n" + m.group(2), text, flags=re.S)
    open(page, "w").write(text)
