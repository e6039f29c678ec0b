#!/usr/bin/env python3
"""Indigo's graph kernels under `warpwise check`, compared with what their names say.

    git clone https://github.com/burtscher/IndigoSuite
    tests/outside/indigo.py IndigoSuite build/release/bin/warpwise [--every=N] [--jobs=N] [--only=TEXT] [--json=FILE]

The suite's own generator makes the kernels (Liu, Azami, Walters and Burtscher, ISPASS 2022): 590 of `int` data, whose names state the planted
bugs (atomicBug, boundsBug, guardBug, raceBug, syncBug). A kernel without a bug must be clean. Found means at least one error.

Each runs once, with blocks of 64 threads, on a directed graph of 60 vertices whose first and last have no edges and of which a few have more
than 64. Kernels that loop over vertices get fewer threads than there is work, all others more. The exit code is 1 when a verdict differs.
"""
import collections, concurrent.futures, os, random, struct, subprocess, sys, tempfile

import suites

VERTICES, THREADS = 60, 64
BLOCKS, BLOCKS_OF_LOOPS = 64, 7


def write_graph(path):
    rng = random.Random(1)
    degrees = [0 if v in (0, VERTICES - 1) else VERTICES if v in (20, 40) else rng.randrange(8) for v in range(VERTICES)]
    index, targets = [0], []
    for degree in degrees:
        # Several edges between the same two vertices make more than a block's threads of them.
        targets += sorted(rng.randrange(VERTICES) for _ in range(degree + 10 * (degree == VERTICES)))
        index.append(len(targets))
    with open(path, "wb") as out:
        out.write(struct.pack(f"<{2 + len(index) + len(targets)}i", VERTICES, len(targets), *index, *targets))


def generate(suite, folder):
    generators = os.path.join(os.path.abspath(suite), "Generators")
    for source in sorted(os.listdir(os.path.join(generators, "CUDA_sources"))):
        subprocess.run([sys.executable, "generate_CUDA_codes.py", os.path.join("CUDA_sources", source), "../copyright.txt", folder], cwd=generators,
                       check=True, stdout=subprocess.DEVNULL)
    return sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names if name.endswith(".cu")), \
        ["-I" + os.path.join(generators, "sources_include"), "-I" + os.path.join(generators, "graph_include")]


def bugs_of(path):
    return "+".join(sorted({word for word in os.path.basename(path)[:-3].split("_") if word.endswith("Bug")}))


def check(options, path, flags, graph):
    blocks = BLOCKS_OF_LOOPS if "persistent" in path else BLOCKS
    findings = suites.check(options, [*flags, path, "--", graph, str(THREADS), str(blocks)])
    return path, None if findings is None else suites.errors(findings)


def main():
    parser = suites.arguments(__doc__, "burtscher/IndigoSuite")
    parser.add_argument("--every", type=int, default=1, help="of the kernels in order, one in so many")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    table, verdicts, wrong = collections.defaultdict(lambda: [0, 0, 0]), {}, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        graph = os.path.join(folder, "graph.egr")
        write_graph(graph)
        programs, flags = generate(options.suite, folder)
        programs = [p for p in programs if options.only in p][::options.every]
        for path, codes in pool.map(lambda p: check(options, p, flags, graph), programs):
            bugs = bugs_of(path)
            row = table[bugs or "none"]
            row[0] += 1
            row[1] += codes is None
            row[2] += bool(codes)
            verdicts[os.path.basename(path)] = codes
            if codes is None or bool(codes) != bool(bugs):
                wrong += 1
                print(f"{os.path.basename(path)}: {'no verdict' if codes is None else 'missed' if bugs else 'alarm ' + ' '.join(codes)}", flush=True)
    print(f"{'planted':24}{'kernels':>8}{'guilty':>8}{'no verdict':>12}")
    for bugs, (all_, none, guilty) in sorted(table.items()):
        print(f"{bugs:24}{all_:8}{guilty:8}{none:12}")
    suites.save(options, verdicts)
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
