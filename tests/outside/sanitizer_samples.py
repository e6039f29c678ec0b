#!/usr/bin/env python3
"""NVIDIA's compute-sanitizer-samples under `warpwise check`: each planted bug at its line.

    git clone https://github.com/NVIDIA/compute-sanitizer-samples
    tests/outside/sanitizer_samples.py compute-sanitizer-samples build/release/bin/warpwise [--only=TEXT] [--json=FILE]

EXPECTED lists the findings that each sample must have, and no others: the code, and the first words of the line that the finding points at. They
are the planted bugs that the samples' own pages name; docs/wrong_programs.md explains the differences. Samples that are tools on top of NVIDIA's
Sanitizer API have no counterpart. The exit code is 1 when a sample has other findings.
"""
import os, sys

import suites

EXPECTED = {
    "Memcheck/memcheck_demo": [("C0102", "*(int*) ((char*)&x + 1) = 42;"), ("C0108", "*(int*) 0x87654320 = 42;"), ("C0501", "cudaMalloc((void**)&devMem")],
    "Racecheck/block_error": [("C0201", "smem[tx] = data_in[tx] + tx;"), ("C0202", "*sum_out += smem[i];")],
    "Racecheck/warp_error": [("C0202", "smem_second[wx] += smem_first")],
    "Initcheck/memset_error": [("C0301", "v[tx] += tx;")],
    "Synccheck/divergent_threads": [("C0301", "smem[tx] += data_in[offset];"), ("C0401", "__syncthreads();")],
    "Synccheck/illegal_syncwarp": [("C0403", "__syncwarp(")],
    "NvtxMemoryPool/NvtxMemoryPool": [("C0103", "v[i] = static_cast<uint8_t>(i);"), ("C0107", "v[i] = static_cast<uint8_t>(i);")],
    "NvtxNaming/NvtxNaming": [],
    "NvtxPermissions/NvtxPermissions": [("C0117", "*v = i + 1u;"), ("C0117", "atomicAdd(v, 1u);"), ("C0117", "unsigned int i = *v;")],
    "Suppressions/suppressions_demo": [("C0501", "while (cudaMalloc(&ptr")],
    "Suppressions/suppressions_initcheck_demo": [("C0301", "b[tid] = a[tid] * 2;"), ("C0501", "cudaMalloc(&a"), ("C0501", "cudaMalloc(&b")],
}


def told(finding):
    code, _, file, line = finding
    with open(file) as source:
        return code, source.read().split("\n")[line - 1].strip()


def main():
    options = suites.arguments(__doc__, "NVIDIA/compute-sanitizer-samples").parse_args()
    verdicts, wrong = {}, 0
    for name, expected in EXPECTED.items():
        if options.only not in name:
            continue
        verdicts[name] = findings = suites.check(options, [os.path.join(os.path.abspath(options.suite), name + ".cu")])
        found = sorted(told(f) for f in findings or [])
        as_expected = len(found) == len(expected) and all(f[0] == e[0] and f[1].startswith(e[1]) for f, e in zip(found, expected))
        wrong += not as_expected
        print(f"{name}: {'as it must be' if as_expected else found if findings is not None else 'no verdict'}", flush=True)
    suites.save(options, verdicts)
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
