#!/usr/bin/env python3
"""Compares two files of texture_samples.cu, case by case: compare_samples.py REAL OURS. Exit code 1 when bits differ."""
import struct
import sys


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    cases, at = {}, 0
    while at < len(data):
        end = data.index(b"\n", at)
        name, samples, words = data[at:end].decode().split()
        at = end + 1
        if samples == "0":  # the device refused it: `words` says why
            cases[name] = words
            continue
        size = int(samples) * int(words)
        cases[name] = struct.unpack(f"<{size}I", data[at:at + 4 * size])
        at += 4 * size
    return cases


def number(word):
    return struct.unpack("<f", struct.pack("<I", word))[0]


def main():
    real, ours = read(sys.argv[1]), read(sys.argv[2])
    equal = 0
    for name, want in real.items():
        got = ours.get(name)
        if got == want:
            equal += 1
        elif got is None or isinstance(got, str) or isinstance(want, str):
            print(f"{name}: {want if isinstance(want, str) else 'sampled'}, ours {'missing' if got is None else got if isinstance(got, str) else 'sampled'}")
        else:
            wrong = [k for k in range(len(want)) if want[k] != got[k]]
            far = max(abs(number(want[k]) - number(got[k])) for k in wrong)
            print(f"{name}: {len(wrong)} of {len(want)} words differ, by at most {far:.3g}; "
                  f"the first is word {wrong[0]}: {got[wrong[0]]:#010x}, not {want[wrong[0]]:#010x}")
    print(f"{equal} of {len(real)} cases agree in every bit")
    return 0 if equal == len(real) else 1


sys.exit(main())
