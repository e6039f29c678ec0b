#!/usr/bin/env python3
"""The tables of docs/model.md: kernels of this repository by the model, beside published measurements of the same steps.

    scripts/model_table.py build/bin/warpwise [TABLE...] [--compiler=clang|nvcc] [--write] [--check] [--json=FILE]

Without --write the tables go to standard output; with it, between the marks of docs/model.md, too. With --check the exit code is 1 when fewer
steps are within 25 per cent, or ranked worse, than the table promises.
"""
import argparse, json, os, re, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Table:
    """What is compared is `work` by the time, or the time where there is no work, in `unit`. `promise`: the least rank correlation, and
    how many steps are within 25 per cent. steps: (program, unless all are in one; kernel; name; published)."""

    def __init__(self, title, device, unit, work, arguments, promise, steps, program=None):
        self.title, self.device, self.unit, self.work, self.arguments, self.program = title, device, unit, work, arguments, program
        self.promise, self.steps = promise, steps


def copies(*published):
    words = ["unsigned char", "unsigned short", "unsigned int", "uint2", "uint4"]
    return [(None, f"copy<{word}>", f"{1 << i} bytes a thread" if i else "1 byte a thread", value) for i, (word, value) in enumerate(zip(words, published))]


# Kernels are ours, after the descriptions of the steps; no constant of the model was fitted to these numbers.
TABLES = {
    # The README of github.com/siboehm/SGEMM_CUDA.
    "sgemm": Table("4096³, RTX A6000, GFLOP/s", "a6000", 1e9, 2 * 4096**3, ["4096"], (0.95, 8), [
        ("kernels/published/sgemm/01_naive.cu", "", "naive", 309),
        ("kernels/published/sgemm/02_coalesced.cu", "", "coalesced", 1987),
        ("kernels/published/sgemm/03_shared_tiles.cu", "", "shared tiles", 2980),
        ("kernels/published/sgemm/04_thread_column.cu", "", "thread column", 8475),
        ("kernels/published/sgemm/05_thread_square.cu", "", "thread square", 15972),
        ("kernels/published/sgemm/06_vectorised.cu", "", "vectorised", 18237),
        ("kernels/published/sgemm/07_linear_layout.cu", "", "linear layout", 16213),
        ("kernels/published/sgemm/08_padded_rows.cu", "", "padded rows", 16459),
        ("kernels/published/sgemm/09_double_buffer.cu", "", "double buffer", 17278),
        ("kernels/published/sgemm/10_tuned.cu", "", "tuned", 19721),
        ("kernels/published/sgemm/11_warp_tiles.cu", "", "warp tiles", 21779),
    ]),
    # The README of github.com/yencal/gpu-matrix-transpose: 32768² floats, GB/s read and written; H100 80GB HBM3. Profiled at 8192², which
    # does not fit in L2 either.
    "transpose": Table("transpose, H100, GB/s", "h100", 1e9, 2 * 4 * 8192**2, ["8192"], (None, 19), [
        (None, "naive", "naive", 475.5),
        (None, "tile<32, 1, 32, 0>", "tile of 32", 996.1),
        (None, "tile<32, 1, 32, 1>", "padded", 1693.4),
        (None, "tile<32, 1, 16, 1>", "2 rows a thread", 2385.1),
        (None, "tile<32, 1, 8, 1>", "4 rows", 2772.4),
        (None, "tile<32, 1, 4, 1>", "8 rows", 2775.3),
        (None, "tile<32, 2, 32, 1>", "pairs", 2383.4),
        (None, "tile<32, 2, 16, 1>", "pairs, 2 rows", 2772.5),
        (None, "tile<32, 2, 8, 1>", "pairs, 4 rows", 2775.1),
        (None, "tile<32, 2, 4, 1>", "pairs, 8 rows", 2775.4),
        (None, "tile<32, 4, 32, 1>", "fours", 2771.2),
        (None, "tile<32, 4, 16, 1>", "fours, 2 rows", 2774.0),
        (None, "tile<32, 4, 8, 1>", "fours, 4 rows", 2774.5),
        (None, "tile<32, 4, 4, 1>", "fours, 8 rows", 2773.4),
        (None, "tile<64, 2, 32, 1>", "tile of 64, pairs", 2872.0),
        (None, "tile<64, 2, 16, 1>", "tile of 64, pairs, 4 rows", 2939.8),
        (None, "tile<64, 2, 8, 1>", "tile of 64, pairs, 8 rows", 2927.2),
        (None, "tile<64, 4, 32, 1>", "tile of 64, fours", 2938.9),
        (None, "tile<64, 4, 16, 1>", "tile of 64, fours, 4 rows", 2927.0),
        (None, "tile<64, 4, 8, 1>", "tile of 64, fours, 8 rows", 2940.5),
    ], "kernels/published/transpose.cu"),
    # The figures of github.com/yencal/gpu-bandwidth-benchmark, read from the pictures: 2^30 bytes, GB/s read and written.
    "copy": Table("copies by blocks of 1024 threads, H100, GB/s", "h100", 1e9, 2 * 2**28, [str(2**28)], (0.95, 5), copies(684, 1190, 2025, 2737, 3054),
                  "kernels/published/copy.cu"),
    "copy-h200": Table("the same on an H200, GB/s", "h200", 1e9, 2 * 2**28, [str(2**28)], (0.95, 5), copies(725, 1275, 2220, 3465, 4110),
                       "kernels/published/copy.cu"),
    # The README of github.com/yencal/gpu-histogram-optimization: 2^30 bytes, 256 bins.
    "histogram": Table("histogram of 2^30 bytes, H100, GB/s", "h100", 1e9, 2**30, [str(2**30)], (0.95, 3), [
        (None, "global", "global memory", 3.89),
        (None, "shared", "shared memory", 703.1),
        (None, "vectorised", "16 bytes a load", 2297.2),
    ], "kernels/published/histogram.cu"),
    # github.com/Maharshi-Pandya/cudacodes, softmax/README.md and matvec/README.md: milliseconds.
    "softmax": Table("softmax of 1024 rows of 32768 floats, GTX 1050 Ti, ms", "gtx1050ti", 1e-3, None, ["1024", "32768"], (0.95, 3), [
        (None, "naive", "naive", 124.10),
        (None, "online", "online", 88.15),
        (None, "shared", "shared memory", 6.612),
        (None, "shuffle", "shuffles", 5.174),
    ], "kernels/published/softmax.cu"),
    "matvec": Table("product of 4096 × 8192 floats and a vector, GTX 1050 Ti, ms", "gtx1050ti", 1e-3, None, ["4096", "8192"], (0.95, 4), [
        (None, "naive", "naive", 8.279),
        (None, "warp", "a warp a row", 2.447),
        (None, "block", "a block of two warps a row", 1.608),
        (None, "vectorised", "16 bytes a load", 1.357),
    ], "kernels/published/matvec.cu"),
}


def ranks(values):
    """Equal values share the mean of their places."""
    return [sum(o < v for o in values) + (sum(o == v for o in values) - 1) / 2 for v in values]


def spearman(a, b):
    return correlation(ranks(a), ranks(b))


def correlation(a, b):
    """Of ranks."""
    mean = (len(a) - 1) / 2
    product = lambda x, y: sum((i - mean) * (j - mean) for i, j in zip(x, y))
    return product(a, b) / (product(a, a) * product(b, b)) ** 0.5


def profile(warpwise, device, program, words, compiler):
    """Kernels of a program by their names without arguments."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "profile.json")
        command = [warpwise, "profile", "-q", "--device=" + device, "--json", out]
        if compiler:
            command.append("--compiler=" + compiler)
        run = subprocess.run(command + [os.path.join(ROOT, program)] + words, capture_output=True, text=True)
        if run.returncode != 0:
            raise SystemExit(f"{program}: {run.stdout}{run.stderr}")
        return {re.sub(r"^void ", "", k["kernel"].split("(")[0]): k for k in json.load(open(out))["model"]["kernels"]}


def digits(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table_of(table, warpwise, compiler, kept):
    rows, ours, theirs = [], [], []
    shared = profile(warpwise, table.device, table.program, table.arguments, compiler) if table.program else None
    for program, kernel, name, published in table.steps:
        kernels = shared or profile(warpwise, table.device, program, table.arguments, compiler)
        k = kernels[kernel] if kernel else next(iter(kernels.values()))
        kept[name] = k
        rate = lambda seconds: (table.work / seconds if table.work else seconds) / table.unit
        model = rate(k["seconds"])
        ours.append(model)
        theirs.append(published)
        ends = sorted([rate(k["seconds_high"]), rate(k["seconds_low"])])
        rows.append(f"| {name} | {digits(published)} | {digits(model)} | {100 * (model / published - 1):+.0f} % | "
                    f"{digits(ends[0])} to {digits(ends[1])} | {k['limiter']} | {k['next_limiter']} |")
    within = sum(abs(o / t - 1) <= 0.25 for o, t in zip(ours, theirs))
    errors = sorted(abs(o / t - 1) for o, t in zip(ours, theirs))
    least, steps = table.promise
    good = within >= steps and (least is None or spearman(ours, theirs) >= least)
    return good, "\n".join([f"{table.title}. Spearman's rank correlation {spearman(ours, theirs):.2f}; within 25 %: {within} of {len(rows)}; "
                            f"median error {100 * errors[len(errors) // 2]:.0f} %.", "",
                            "| step | published | model | error | its range | limiter | next |", "|---|---:|---:|---:|---:|---|---|"] + rows)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("warpwise")
    arguments.add_argument("tables", nargs="*", metavar="TABLE", help="of " + ", ".join(TABLES))
    arguments.add_argument("--compiler", default="")
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--json", default="")
    a = arguments.parse_intermixed_args()
    kept, broken, page = {}, [], os.path.join(ROOT, "docs/model.md")
    for name in a.tables or TABLES:
        if name not in TABLES:
            sys.exit(f"`{name}` is no table: " + ", ".join(TABLES))
        good, table = table_of(TABLES[name], a.warpwise, a.compiler, kept.setdefault(name, {}))
        print(table + "\n", flush=True)
        if not good:
            broken.append(name)
        if a.write:
            text = open(page).read()
            text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", lambda m: m.group(1) + table + "\n" + m.group(2), text, flags=re.S)
            open(page, "w").write(text)
    if a.json:
        json.dump(kept, open(a.json, "w"), indent=1)
    if a.check and broken:
        sys.exit("further off than promised: " + ", ".join(broken))


if __name__ == "__main__":
    main()
