#!/usr/bin/env python3
"""ScoR's scoped races under `warpwise check`, compared with what their names say.

    git clone https://github.com/csl-iisc/ScoR
    tests/outside/scor.py ScoR build/release/bin/warpwise [--check-options=WORDS] [--only=TEXT] [--json=FILE]

32 microbenchmarks (race_* and norace_*) and seven applications, each with and without RACEY (Kamath, George and Basu, ISCA 2020). The suite has no
inputs for its applications, so they get small ones of ours, and few threads: four blocks of 64. A race counts as found when there is an error of a
race rule (C02), whatever else is reported. TRUE_OF_INNOCENT lists findings in innocent programs that are true; docs/wrong_programs.md explains them.
The exit code is 1 when a verdict differs.
"""
import os, random, shlex, sys, tempfile

import suites

TRUE_OF_INNOCENT = {"matrix-multiplication": ["C0301"], "uts": ["C0303", "C0401"], "reduction": ["C0202"]}


def numbers(rng, count, below):
    return " ".join(str(rng.randrange(below)) for _ in range(count))


def graph(rng, vertices, edges):
    chosen = sorted({tuple(sorted(rng.sample(range(vertices), 2))) for _ in range(edges)})
    return "\n".join(f"{a} {b}" for a, b in [(vertices, len(chosen)), *chosen])


def inputs():
    rng = random.Random(1)
    return {"1dconv": f"5 300 {numbers(rng, 305, 9)}", "graph-coloring": graph(rng, 60, 150), "graph-connectivity": graph(rng, 60, 80),
            "matrix-multiplication": f"8 40 6 {numbers(rng, 8 * 40 + 40 * 6, 9)}", "reduction": f"2048 {numbers(rng, 2048, 9)}",
            "rule-110": f"300 4 {numbers(rng, 300, 2)}", "uts": "3 2 7"}


def sources_of(folder):
    """As the application's own Makefile has them."""
    with open(os.path.join(folder, "Makefile")) as makefile:
        line = next(line for line in makefile if line.startswith("FILES :="))
    return [os.path.join(folder, name) for name in line.split(":=")[1].split()]


def programs(suite):
    """(name, is it guilty, words for `check`, standard input)"""
    folder = os.path.join(suite, "microbenchmarks", "src")
    for name in sorted(os.listdir(folder)):
        yield name.removesuffix(".cu"), name.startswith("race_"), [os.path.join(folder, name)], ""
    for name, given in inputs().items():
        folder = os.path.join(suite, "benchmarks", name)
        words = ["-DNBLOCKS=4", "-DNTHREADS=64", "-I" + folder, *sources_of(folder)]
        yield name, False, words, given
        yield name + " RACEY", True, ["-DRACEY", *words], given


def main():
    parser = suites.arguments(__doc__, "csl-iisc/ScoR")
    parser.add_argument("--check-options", default="", help="further options of `warpwise check`, such as --schedule=shuffle:1 or --as-built")
    options = parser.parse_args()
    options.warpwise = os.path.abspath(options.warpwise)
    verdicts, guilty, found, innocent, wrong = {}, 0, 0, 0, 0
    for name, racy, words, given in programs(os.path.abspath(options.suite)):
        if options.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:  # the applications write their results where they run
            findings = suites.check(options, shlex.split(options.check_options) + words, input=given, cwd=folder)
        errors = suites.errors(findings)
        verdicts[name] = findings
        guilty, innocent = guilty + racy, innocent + (not racy)
        races = any(code.startswith("C02") for code in errors)
        found += racy and races
        if findings is None or (not races if racy else errors != TRUE_OF_INNOCENT.get(name, [])):
            wrong += 1
            print(f"{name}: {'no verdict' if findings is None else 'missed' if racy else 'alarm'} {' '.join(errors)}", flush=True)
    print(f"guilty {guilty}, found {found}; innocent {innocent}; {wrong} differ from docs/wrong_programs.md")
    suites.save(options, verdicts)
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
