"""What `warpwise check` costs the examples: CPU time of whole processes, plain and under the checkers, in turns.

    python3 bench/check_examples.py PROGRAMS ROUNDS OUT.json        PROGRAMS: the folder of `warpwise`; bench/check_cost calls this

Each example is compiled once, by `warpwise nvcc`, and run once per set of checkers to fill the cache: what is measured has nothing to
compile. The host's part of the example and the start of the process count on both sides.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

SETS = {"plain": [], "memory": ["memory", "init"], "race": ["race"], "all": ["memory", "init", "race", "sync", "api"]}


def cpu_ms(program, folder, checkers):
    options = {"check": checkers, "findings": str(folder / "findings")} if checkers else {}
    child = subprocess.Popen([str(program)], cwd=folder, env={**os.environ, "WARPWISE_OPTIONS": json.dumps(options)},
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"bench/check_examples.py: {program.name} ended with {child.returncode} under {checkers or 'no checker'}")
    return 1000 * (used.ru_utime + used.ru_stime)


def main(programs, rounds, out):
    examples = pathlib.Path(__file__).resolve().parent.parent / "examples"
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        os.environ["WARPWISE_CACHE_DIR"] = str(folder / "cache")
        for source in sorted(examples.glob("*.cu")):
            program = folder / source.stem
            subprocess.run([f"{programs}/warpwise", "nvcc", "-o", str(program), str(source)], check=True)
            for checkers in SETS.values():
                cpu_ms(program, folder, checkers)
            times = [{s: cpu_ms(program, folder, checkers) for s, checkers in SETS.items()} for _ in range(rounds)]
            rows.append({"name": source.stem, "cpu_ms": {s: statistics.median(t[s] for t in times) for s in SETS}})
    pathlib.Path(out).write_text(json.dumps(rows))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
