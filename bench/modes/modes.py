#!/usr/bin/env python3
"""What independent warps gain over independent threads (docs/internals/simt_modes.md).

    bench/modes/modes.py [--warpwise=PROGRAM] [--rounds=5] [--json=FILE] SOURCE|FOLDER...

Runs each CUDA source (of a folder: all of them) that has a kernel which runs warp by warp, in turns as it is and with
--off=bind_warp, so that the same kernels run thread by thread and all others as before. The code comes from the cache:
compilation is not timed, and the time of a program is that of its whole process, the fastest of the rounds. Prints each
ratio, and their geometric mean; with --json a record of them. Exits with 1 when a program is slower warp by warp by more
than a twentieth, or its two outputs differ.
"""
import argparse, json, math, os, pathlib, platform, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(program, source, options, environment):
    """Seconds of one run, its exit code and what it wrote."""
    begun = time.monotonic()
    done = subprocess.run([program, "run", "--tiers=compiled", *options, source], capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)
    return time.monotonic() - begun, done


def sources(names):
    for name in names:
        path = pathlib.Path(name)
        yield from sorted(path.rglob("*.cu")) if path.is_dir() else [path]


def processor():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warpwise", default=ROOT / "build/release/bin/warpwise")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("sources", nargs="+")
    asked = parser.parse_args()
    rows, wrong = [], False
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "WARPWISE_CACHE_DIR": cache}
        for source in sources(asked.sources):
            common = [f"-arch={asked.arch}"]
            _, first = run(asked.warpwise, source, [*common, "-v"], environment)
            if first.returncode != 0 or "runs warp by warp" not in first.stderr:
                continue
            ways = {"warps": common, "threads": [*common, "--off=bind_warp"]}
            best, outputs = dict.fromkeys(ways, math.inf), {}
            run(asked.warpwise, source, ways["threads"], environment)  # into the cache
            for _ in range(asked.rounds):
                for way, options in ways.items():
                    seconds, done = run(asked.warpwise, source, options, environment)
                    best[way] = min(best[way], seconds)
                    outputs[way] = (done.returncode, done.stdout)
            ratio = best["threads"] / best["warps"]
            same = outputs["warps"] == outputs["threads"]
            wrong = wrong or ratio < 0.95 or not same
            rows.append({"program": str(source), "warps_s": best["warps"], "threads_s": best["threads"], "ratio": ratio, "same_output": same})
            print(f"{ratio:7.2f}  {best['threads']:8.3f} s -> {best['warps']:8.3f} s  {source}{'' if same else '  OTHER OUTPUT'}", flush=True)
    if not rows:
        sys.exit("no program has a kernel that runs warp by warp")
    mean = math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))
    print(f"{mean:7.2f}  geometric mean of {len(rows)} programs, {processor()}, {os.cpu_count()} processors")
    if asked.json:
        pathlib.Path(asked.json).write_text(json.dumps({"machine": processor(), "processors": os.cpu_count(), "rounds": asked.rounds, "mean": mean, "programs": rows}, indent=1) + "\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
