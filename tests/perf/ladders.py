#!/usr/bin/env python3
"""The steps of kernels/ladders by the model, against what must hold on any GPU by what the steps do.

    ladders.py WARPWISE SOURCE_FOLDER [--print] [LADDER...]

A rule names two steps and how many times faster the first must be at least; no rule comes from a measurement of these kernels. A
factor below 1 (0.95, 0.97) ranks near times as equal: the model does not claim an order there, only that the first is not clearly
slower. --print shows the modelled times and bandwidths.
"""
import json, os, subprocess, sys, tempfile

GB = 1e9
# device, arguments, bytes that must move at least, rules (fast, slow, at least so many times)
LADDERS = {
    "transpose": ("h100", ["4096"], 2 * 4096 * 4096 * 4, [
        ("copy", "naive", 1.5),       # 32 sectors of L2 for each store of a warp where 4 would do
        ("copy", "columns", 1.2),
        ("padded", "naive", 1.5),
        ("padded", "shared", 1.05),   # 32-way bank conflicts
        ("swizzled", "shared", 1.05),
        ("copy", "padded", 0.95),     # nothing is faster than a copy
        ("copy", "vectorised", 0.9),
    ]),
    "histogram": ("h100", ["4194304"], 4194304, [
        ("shared", "global", 1.2),    # atomics of a block contend only for its own memory
        ("coarsened", "shared", 1.0), # fewer sums at the end
        ("coarsened", "global", 1.5),
    ]),
    "softmax": ("gtx1050ti", ["1024", "8192"], 2 * 1024 * 8192 * 4, [
        ("online", "naive", 1.05),    # two passes over the row instead of three
        ("block", "online", 2.0),     # side by side instead of a row apart
        ("shuffle", "block", 0.97),
        ("vectorised", "shuffle", 0.97),
    ]),
    "matvec": ("gtx1050ti", ["4096", "4096"], 4096 * 4096 * 4, [
        ("warp", "naive", 1.5),
        ("block", "naive", 1.5),
        ("vectorised", "naive", 1.5),
        ("vectorised", "block", 0.97),
    ]),
}


def profile(warpwise, root, ladder, device, arguments):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "profile.json")
        run = subprocess.run([warpwise, "profile", "-q", "--compiler=clang", "--device=" + device, "--json", out,
                              os.path.join(root, "kernels/ladders", ladder + ".cu")] + arguments, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{ladder}: {run.stdout}{run.stderr}")
        return {k["kernel"].split("(")[0]: k for k in json.load(open(out))["model"]["kernels"]}


def main():
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    failed = 0
    for ladder in words[2:] or LADDERS:
        device, arguments, moved, rules = LADDERS[ladder]
        kernels = profile(words[0], words[1], ladder, device, arguments)
        if "--print" in sys.argv:
            print(f"{ladder} on {device}, {' '.join(arguments)}")
            for name, k in kernels.items():
                print(f"  {name:12} {k['seconds'] * 1e6:10.1f} us {moved / k['seconds'] / GB:8.1f} GB/s  {k['limiter']}")
        for fast, slow, least in rules:
            times = kernels[slow]["seconds"] / kernels[fast]["seconds"]
            if times < least:
                failed += 1
                print(f"{ladder}: {fast} is {times:.2f} times as fast as {slow}, at least {least} times are required{' (near times rank as equal)' if least < 1 else ''}")
    sys.exit(1 if failed else 0)


main()
