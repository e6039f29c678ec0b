#!/usr/bin/env python3
"""GPUVerify's CUDA kernels under `warpwise check`, compared with the suite's own verdicts.

    git clone https://github.com/mc-imperial/gpuverify
    tests/outside/gpuverify.py gpuverify build/release/bin/warpwise [--only=TEXT] [--json=FILE] [--keep=FOLDER]

The first line of each of the 183 kernels in testsuite/CUDA says whether GPUVerify verifies it (pass) or rejects it (xfail), the second how it
is launched. They have no host code. This script adds a launch with the stated block and grid (with at most 1024 threads a block), a megabyte
of zeroes for each pointer, and numbers that the kernel's __requires() allow. Found means at least one error, clean means none.
docs/wrong_programs.md explains each difference. The exit code is 1 when there is another one.

A compiler does not know the verifier's words: __requires, __invariant and the like are left out. An __assert becomes an assert(), unless it
uses the verifier's own names (__read, __old ...).
"""
import collections, os, re, sys, tempfile

import suites

PRELUDE = """#include <cassert>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#undef __assert
#define SUITE_ASSERT(...) assert((__VA_ARGS__))
#define NOT_FOR_US(...) ((void)0)
#define __requires(...) ((void)0)
#define __ensures(...) ((void)0)
#define __invariant(...) ((void)0)
#define __global_invariant(...) ((void)0)
#define __function_wide_invariant(...) ((void)0)
#define __assume(...) ((void)0)
#define __axiom(...)
"""

# --- what some kernels need beyond what their text says


def structure(parameter, type_, *pointers):
    """A struct by value whose members point to zeroes."""
    lines = [f"{type_} given; memset(&given, 0, sizeof given);"]
    for n, (member, pointer) in enumerate(pointers):
        lines.append(f"void* m{n}; cudaMalloc(&m{n}, 1 << 20); cudaMemset(m{n}, 0, 1 << 20); {member} = ({pointer})m{n};")
    return {"arguments": {parameter: "given"}, "setup": lines}


GROUPS = "#include <cooperative_groups.h>\n#define synchronize(x) (x).sync()\n"
CURAND = "#include <curand_kernel.h>\n"
TAKES_STRUCT = "__device__ void bar(s) {}\n"
NEEDS = {
    "pointers_in_structs/test2": structure("A", "S", ("given.p", "int*")),
    "pointers_in_structs/test3": structure("A", "S", ("given.s.p", "int*")),
    "pointers_in_structs/test4": structure("A", "S", ("given.s.p", "int*"), ("given.s.q", "int*")),
    "fresh_arrays/fail/struct_nested": structure("q", "t", ("given.v.p", "float*")),
    "store_in_byval_function": structure("q", "s", ("*(int**)&given", "int*")),
    "mul24": {"arguments": {"A": "(int*)m0", "B": "(int*)m1"},
              "setup": [f"void* m{n}; cudaMalloc(&m{n}, 4 << 20); cudaMemset(m{n}, 0, 4 << 20);" for n in (0, 1)]},
    "transitiveclosure": {"arguments": {"passnum": "1"}},
    "function_pointers/basic_argument_fail": {"arguments": {"f": "nullptr"}},
    "function_pointers/pass_struct/call": {"arguments": {"f": "nullptr"}},
    "function_pointers/basic_assignment_fail": {"arguments": {"i": "3"}},
    "function_pointers/funcptr_to_ptr_add": {"arguments": {"i": "0"}},
    "param_values/value_causing_race": {"arguments": {"x": "185"}},  # as the suite says
    "param_values/value_in_assert": {"arguments": {"c": "48"}},      # as the suite says
    "misc/fail/miscfail7": {"arguments": {"H": "nullptr"}},
    "misc/pass/misc4": {"behind": "__device__ void bar(int) {}\n"},
    "misc/pass/misc5": {"behind": "__device__ int nondet() { return 0; }\n"},
    "curand_tests/*": {"before": CURAND},
    "cooperative_groups/*": {"before": GROUPS},
    "cooperative_groups/fail/block_divergence_grid_group": {"options": ["--timeout=8"]},
}
for case in "fail pass".split():
    NEEDS[f"fresh_arrays/{case}/array"] = structure("q", "s", ("given.p[4]", "float*"))
    NEEDS[f"fresh_arrays/{case}/inherit"] = structure("q", "t", ("given.p", "float*"))
    NEEDS[f"fresh_arrays/{case}/struct_char"] = structure("q", "s", ("given.p", "char*"))
    NEEDS[f"fresh_arrays/{case}/struct_float"] = structure("q", "s", ("given.p", "float*"))
for name in "predication/test1 predication/test2 misc/pass/misc6".split():
    NEEDS[name] = {"behind": "__device__ char nondet() { return 0; }\n"}
for name in "unhandled_varval null_dst unhandled_varlen".split():
    NEEDS["memset/" + name] = {"behind": "__device__ int bar() { return 4; }\n"}
for name in ("parameter array_element2 array_element1 i8_element_global2 i8_element_global1 i8_element_parameter shared_element").split():
    number = name[-1] if name[-1].isdigit() else ""
    NEEDS[f"memcpy_simplification/{name.rstrip('12')}_passed_to_call{number}"] = {"behind": TAKES_STRUCT}
for name in "fail/block_divergence_grid_group fail/divergence_grid_group pass/grid_barrier pass/multiple_barriers".split():
    NEEDS.setdefault("cooperative_groups/" + name, {})["cooperative"] = True


def needs(name):
    return {**NEEDS.get(name.split("/")[0] + "/*", {}), **NEEDS.get(name, {})}


# --- a program of a kernel


def closing(text, opening):
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at
    raise ValueError("unbalanced parentheses")


def with_own_asserts(text):
    out, done = "", 0
    for found in re.finditer(r"\b__assert\s*\(", text):
        spoken = text[found.end():closing(text, found.end() - 1)]
        out += text[done:found.start()] + ("NOT_FOR_US(" if "__" in spoken else "SUITE_ASSERT(")
        done = found.end()
    return re.sub(r"__requires_fresh_array\([^)]*\);", "", out + text[done:])


def sizes(options, word):
    found = re.search(rf"--{word}=\[?([\d,]+)\]?", options)
    return [int(n) for n in found.group(1).split(",")] if found else [1]


def count(shape):
    product = 1
    for n in shape:
        product *= n
    return product


def at_most_1024(block):
    block = list(block)
    while count(block) > 1024:
        last = max(k for k, n in enumerate(block) if n > 1)
        block[last] = 1024 if len(block) == 1 else block[last] // 2
    return block


def find_kernel(text):
    """Name, parameters and what follows of the first kernel with a body; None: there is none."""
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    searched = re.sub(r"__launch_bounds__\s*\([^)]*\)", lambda m: " " * len(m.group(0)), plain)
    for found in re.finditer(r"__global__[^;{(]*?\b(\w+)\s*\(", searched):
        end = closing(plain, found.end() - 1)
        if plain[end + 1:].lstrip().startswith("{"):
            return found.group(1), plain[found.end():end].strip(), plain[end:]
    return None


def value_of(name, body, block, threads):
    stated = re.search(rf"__requires\(\s*{re.escape(name)}\s*==\s*([\w.]+)", body)
    if stated and not stated.group(1).startswith("tid"):
        return str(block) if stated.group(1) == "blockDim.x" else stated.group(1)
    if re.search("width|height", name, re.I):
        return str(block)
    return str(threads) if re.search(r"size|^n$|^sz$|num", name, re.I) else "1"


def argument(n, parameter, body, block, threads, given):
    """The argument, the lines of main that make it, and what the device needs for it."""
    text = " ".join(parameter.replace("__restrict__", "").replace("__restrict", "").split()).split("=")[0].strip()
    parts = re.match(r"(.*?)(\w+)\s*(\[\d*\])*$", text)
    type_, name, array = (parts.group(1).strip(), parts.group(2), bool(parts.group(3))) if parts else (text, "a", False)
    if not type_:
        type_, name = name, "a"
    if name in given:
        return given[name], [], ""
    if type_.endswith("*") or array:
        pointer = type_ + "*" if array else type_
        return f"({pointer})b{n}", [f"void* b{n}; cudaMalloc(&b{n}, 1 << 20); cudaMemset(b{n}, 0, 1 << 20);"], ""
    if re.search("func|fptr", type_, re.I):
        stated = re.search(rf"__requires\(\s*{name}\s*==\s*(\w+)", body)
        function = stated.group(1) if stated else "divideByTwo"
        return f"h{n}", [f"{type_} h{n}; cudaMemcpyFromSymbol(&h{n}, f{n}, sizeof h{n});"], f"__device__ {type_} f{n} = {function};\n"
    if re.search(r"\b(int|unsigned|float|double|char|long|short|size_t|uint|bool|volatile|const)\b", type_):
        return f"({type_}){value_of(name, body, block, threads)}", [], ""
    return type_.replace("const ", "") + "{}", [], ""


class Program:
    def __init__(self, path, name):
        self.name = name
        text = open(path, errors="replace").read().replace("\r", "")
        lines = text.split("\n")
        self.rejected = lines[0].lower().lstrip("/ ").startswith("xfail:not_all_verified")
        self.checks = self.rejected or lines[0].lower().lstrip("/ ").startswith("pass")  # otherwise GPUVerify itself fails on it
        options = next((line for line in lines[:6] if "blockDim" in line), "")
        self.flags = re.findall(r"-D\S+", options)
        extra = needs(name)
        self.flags += extra.get("options", [])
        kernel = find_kernel(text)
        self.source = None
        if not kernel:
            return
        function, parameters, body = kernel
        block, grid = at_most_1024(sizes(options, "blockDim")), sizes(options, "gridDim")
        arguments, setup, device = [], list(extra.get("setup", [])), extra.get("behind", "")
        if parameters not in ("", "void"):
            for n, parameter in enumerate(re.split(r",(?![^<]*>)", parameters)):
                one, made, around = argument(n, parameter, body, count(block), count(block) * count(grid), extra.get("arguments", {}))
                arguments.append(one), setup.extend(made)
                device += around
        shape = ["dim3(" + ",".join(map(str, dims)) + ")" for dims in (grid, block)]
        if extra.get("cooperative"):
            launch = [f"int* given = (int*)b0; void* all[] = {{&given}}; cudaLaunchCooperativeKernel((void*){function}, {shape[0]}, {shape[1]}, all, 0, 0);"]
        else:
            launch = [f"{function}<<<{shape[0]}, {shape[1]}>>>({', '.join(arguments)});"]
        frees = [f"cudaFree({pointer});" for pointer in re.findall(r"cudaMalloc\(&(\w+)", "\n".join(setup))]
        main = setup + launch + ["cudaError_t error = cudaDeviceSynchronize();", 'if (error) fprintf(stderr, "%s\\n", cudaGetErrorString(error));'] + \
            frees + ["return error != cudaSuccess;"]
        self.source = PRELUDE + extra.get("before", "") + f'#line 1 "{path}"\n' + with_own_asserts(text) + "\n" + device + \
            "int main() {\n  " + "\n  ".join(main) + "\n}\n"


def check(options, program, folder):
    source = os.path.join(folder, program.name.replace("/", "__") + ".cu")
    with open(source, "w") as out:
        out.write(program.source)
    return suites.check(options, [*program.flags, source])


def main():
    parser = suites.arguments(__doc__, "mc-imperial/gpuverify")
    parser.add_argument("--keep", help="where the programs are written, to look at them")
    options = parser.parse_args()
    root = os.path.abspath(os.path.join(options.suite, "testsuite", "CUDA"))
    table, verdicts, differences = collections.Counter(), {}, 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for where, _, files in sorted(os.walk(root)):
            name = os.path.relpath(where, root)
            if "kernel.cu" not in files or options.only not in name:
                continue
            program = Program(os.path.join(where, "kernel.cu"), name)
            found = check(options, program, folder) if program.source else None
            verdicts[name] = found
            verdict = "not run" if found is None else "guilty" if suites.errors(found) else "warning" if found else "clean"
            said = "rejected" if program.rejected else "verified" if program.checks else "not judged"
            table[said, verdict] += 1
            if program.checks and verdict != ("guilty" if program.rejected else "clean"):
                differences += 1
                print(f"{name}: {said}, {verdict} {' '.join(suites.codes(found))}", flush=True)
    for (said, verdict), kernels in sorted(table.items()):
        print(f"{said:12}{verdict:10}{kernels:5}")
    suites.save(options, verdicts)
    return differences != 0


if __name__ == "__main__":
    sys.exit(main())
