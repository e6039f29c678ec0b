#!/usr/bin/env python3
"""Steps of the ladders in kernels/ beside PyTorch's functions on a real GPU, in turns.

    scripts/beside_torch.py [--json=FILE] [--libraries=FOLDER] [--shape=NAME,...] LADDER[:STEP,...]...

needs nvcc, and PyTorch with a GPU. STEP is the beginning of a file's name, `04` or `peer`; left out, it is the last step. Shapes are
those of ladder.toml that are not small. Each of five rounds has fresh inputs, and in it each version runs several times
in turns; L2 is flushed before each run, by reading. In the first round, outputs are compared with double precision, by the ladder's
tolerance. `copy` copies as many bytes, `read` reads as many.
"""

from __future__ import annotations

import argparse
import ctypes
import datetime
import json
import statistics
import subprocess
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Iterator

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

KERNELS = Path(__file__).resolve().parent.parent / "kernels"
ROUNDS, SECONDS, MOST_RUNS = 5, 0.04, 6  # of a version in a round
TYPES = {
    "float": torch.float32, "__nv_bfloat16": torch.bfloat16, "int": torch.int32, "unsigned": torch.int32,
    "int8_t": torch.int8, "__nv_fp8_e4m3": torch.float8_e4m3fn,
}
Arrays = dict[str, torch.Tensor]
Sizes = dict[str, int]


def rows_of(a: Arrays, s: Sizes, name: str) -> torch.Tensor:
    return a[name].view(s["rows"], s["columns"])


def softmax(a: Arrays, s: Sizes) -> list[torch.Tensor]:
    return [torch.softmax(rows_of(a, s, "in"), 1)]


def layer_norm(a: Arrays, s: Sizes) -> list[torch.Tensor]:
    return [F.layer_norm(rows_of(a, s, "in"), (s["columns"],), a["gamma"], a["beta"], 1e-5)]


def rms_norm(a: Arrays, s: Sizes) -> list[torch.Tensor]:
    return [F.rms_norm(rows_of(a, s, "in"), (s["columns"],), a["gamma"], 1e-5)]


def layer_norm_backward(a: Arrays, s: Sizes) -> list[torch.Tensor]:
    mean, rstd = a["mean"].view(-1, 1), a["rstd"].view(-1, 1)
    of_rows = [rows_of(a, s, "dy"), rows_of(a, s, "x")]
    backward = torch.ops.aten.native_layer_norm_backward
    return list(backward(*of_rows, [s["columns"]], mean, rstd, a["gamma"], a["gamma"], [True, True, True]))


def rms_norm_backward(a: Arrays, s: Sizes) -> list[torch.Tensor]:
    of_rows = [rows_of(a, s, "dy"), rows_of(a, s, "x")]
    backward = torch.ops.aten._fused_rms_norm_backward
    return list(backward(*of_rows, [s["columns"]], a["rstd"].view(-1, 1), a["gamma"], [True, True]))


def gradients(a: Arrays, s: Sizes) -> list[torch.Tensor]:
    """Of either norm, in the precision of its arguments."""
    dy, x, rstd = rows_of(a, s, "dy"), rows_of(a, s, "x"), a["rstd"].view(-1, 1)
    scaled, weighed = (x - a["mean"].view(-1, 1) if "mean" in a else x) * rstd, dy * a["gamma"]
    dx = weighed - scaled * (weighed * scaled).mean(1, keepdim=True)
    if "mean" not in a:
        return [dx * rstd, (dy * scaled).sum(0)]
    return [(dx - weighed.mean(1, keepdim=True)) * rstd, (dy * scaled).sum(0), dy.sum(0)]


def attention(backend: SDPBackend) -> Callable[[Arrays, Sizes], list[torch.Tensor]]:
    def run(a: Arrays, s: Sizes) -> list[torch.Tensor]:
        q, k, v = (a[name].view(1, s["heads"], s["length"], s["head"]) for name in "qkv")
        with sdpa_kernel(backend):
            return [F.scaled_dot_product_attention(q, k, v, is_causal=bool(s["causal"]))]

    return run


def scaled_product(a: Arrays, s: Sizes) -> list[torch.Tensor]:
    product = a["a"].view(s["m"], s["k"]) @ a["b"].view(s["n"], s["k"]).t()
    return [product * a["scale_a"].view(-1, 1) * a["scale_b"]]


def unsigned(keys: torch.Tensor) -> torch.Tensor:
    """Keys of 32 bits as numbers; arrays of them are of `int`, which PyTorch can sort."""
    return keys.long() & 0xFFFFFFFF


def sorted_pairs(a: Arrays, s: Sizes) -> list[torch.Tensor]:
    order = unsigned(a["keys"]).sort(stable=True)[1]
    return [a["keys"][order], a["values"][order]]


# PyTorch's functions, by ladder, without `_bf16`; and what is right, where another function says it.
TORCH: dict[str, dict[str, Callable[[Arrays, Sizes], list[torch.Tensor]]]] = {
    "softmax": {"torch": softmax},
    "layer_norm": {"torch": layer_norm},
    "rms_norm": {"torch": rms_norm},
    "layer_norm_backward": {"torch": layer_norm_backward},
    "rms_norm_backward": {"torch": rms_norm_backward},
    "transpose": {"torch": lambda a, s: [rows_of(a, s, "in").t().contiguous()]},
    "sum": {"torch": lambda a, s: [a["in"].sum().view(1)]},
    "sgemv": {"torch": lambda a, s: [rows_of(a, s, "a") @ a["x"]]},
    "histogram": {"torch": lambda a, s: [torch.bincount(a["keys"], minlength=s["bins"])]},
    "top_k": {"torch": lambda a, s: [rows_of(a, s, "in").topk(s["k"])[0]]},
    "scan": {"torch": lambda a, s: [a["in"].cumsum(0)]},
    "radix_sort": {"torch": lambda a, s: [a["in"].sort()[0]]},
    "radix_sort_pairs": {"torch": lambda a, s: list(a["keys"].sort(stable=True))},
    "radix_sort_rows": {"torch": lambda a, s: [rows_of(a, s, "in").sort(1)[0]]},
    "matmul": {"torch": lambda a, s: [a["a"].view(s["m"], s["k"]) @ a["b"].view(s["n"], s["k"]).t()]},
    "matmul_int8": {},  # PyTorch has none with scales of rows and columns; cuBLASLt is a peer
    "matmul_fp8": {},
    "sgemm": {"torch": lambda a, s: [a["a"].view(s["m"], s["k"]) @ a["b"].view(s["k"], s["n"])]},
    "attention": {"torch cudnn": attention(SDPBackend.CUDNN_ATTENTION), "torch flash": attention(SDPBackend.FLASH_ATTENTION)},
}
EXPECTED = {
    "layer_norm_backward": gradients,
    "rms_norm_backward": gradients,
    "radix_sort": lambda a, s: [unsigned(a["in"]).sort()[0]],
    "radix_sort_pairs": sorted_pairs,
    "matmul_int8": scaled_product,
    "matmul_fp8": scaled_product,
    "radix_sort_rows": lambda a, s: [unsigned(rows_of(a, s, "in")).sort(1)[0]],
}
NOT_IN_DOUBLE = {"histogram", "radix_sort", "radix_sort_pairs", "radix_sort_rows"}  # whole numbers are what they are


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def number(expression: str, sizes: Sizes) -> int:
    known = {"ceil_div": ceil_div, "min": min, "max": max} | sizes
    return int(eval(expression.replace("/", "//"), {"__builtins__": {}}, known))


def element(parameter: dict[str, Any]) -> torch.dtype:
    return TYPES[parameter["type"].replace("const ", "").rstrip("*")]


def array(parameter: dict[str, Any], shape: dict[str, Any]) -> torch.Tensor:
    count, kind = number(parameter["count"], shape["sizes"]), element(parameter)
    if parameter["role"] != "input":
        zeroed = parameter.get("zeroed") or not kind.is_floating_point
        return torch.full((count,), 0 if zeroed else float("nan"), dtype=kind, device="cuda")
    data = shape.get("data", {}).get(parameter["name"], parameter.get("data", "normal" if kind.is_floating_point else ""))
    word, *numbers = data.split(" ", 1)
    if word in ("", "bits"):
        return torch.randint(-(1 << 31), 1 << 31, (count,), dtype=torch.int64, device="cuda").to(kind)
    if word == "normal":
        return torch.randn(count, device="cuda").to(kind)
    if word == "uniform":
        low, high = map(float, numbers[0].split())
        return (low + (high - low) * torch.rand(count, device="cuda")).to(kind)
    if word == "constant":
        return torch.full((count,), float(numbers[0]), device="cuda").to(kind)
    limit = number(numbers[0], shape["sizes"])
    if word == "below":
        return torch.randint(limit, (count,), dtype=kind, device="cuda")
    if word == "skewed":
        return (limit * torch.rand(count, device="cuda") ** 4).to(kind).clamp_(max=limit - 1)
    raise SystemExit(f"no such data: `{data}`")


def takes(source: Path, sizes: Sizes) -> bool:
    """Whether a step takes a shape: the line `// takes:` of its first comment."""
    lines = [line for line in source.read_text().splitlines() if line.startswith("// takes: ")]
    return not lines or bool(number(lines[0].removeprefix("// takes: "), sizes))


def name_of(source: Path) -> str:
    """A step is called as its file is, a peer as its first line says."""
    if not source.name.startswith("peer_"):
        return source.stem
    library = source.read_text().partition("\n")[0].removeprefix("// peer: ")
    return "cub" if library == "CUB" else f"library {library}"


def unit_of(source: Path) -> str:
    """Where a step calculates, if not where its ladder says: the line `// calculates:` of its first comment."""
    lines = [line for line in source.read_text().splitlines() if line.startswith("// calculates: ")]
    return lines[0].partition(" on ")[2] if lines else ""


def compiled(source: Path, folder: Path) -> Any:
    library = folder / f"{source.parent.name}.{source.stem}.so"
    if not library.exists():
        major, minor = torch.cuda.get_device_capability()
        arch = f"{major}{minor}" + ("a" if major >= 9 else "")
        code = f"-gencode=arch=compute_{arch},code=sm_{arch}"
        words = ["nvcc", "-O3", "-std=c++17", "-shared", "-Xcompiler=-fPIC", code, "-o", library, source]
        subprocess.run([str(word) for word in words], check=True)
    return ctypes.CDLL(str(library)).solve


def argument(parameter: dict[str, Any], arrays: Arrays, shape: dict[str, Any]) -> Any:
    name = parameter["name"]
    if name in arrays:
        return ctypes.c_void_p(arrays[name].data_ptr())
    if parameter["role"] == "size":
        return {"long long": ctypes.c_longlong}.get(parameter["type"], ctypes.c_int)(shape["sizes"][name])
    return ctypes.c_float(shape.get("scalars", {}).get(name, parameter["value"]))


class Shape:
    """A shape of a ladder with its inputs, and all versions of the computation."""

    def __init__(self, ladder: str, toml: dict[str, Any], shape: dict[str, Any], steps: dict[str, Any]):
        self.name, self.toml, self.shape, self.steps, self.sizes = ladder.removesuffix("_bf16"), toml, shape, steps, shape["sizes"]
        self.bytes = number(toml["work"]["bytes"], self.sizes)
        self.flush = torch.zeros(1 << 28, device="cuda")
        self.from_, self.to = (torch.empty(self.bytes // 8 * 4, dtype=torch.uint8, device="cuda") for _ in range(2))
        self.all = torch.randn(max(1, self.bytes // 4), device="cuda")
        self.renew()

    def renew(self) -> None:
        self.arrays = {p["name"]: array(p, self.shape) for p in self.toml["parameter"] if "count" in p}

    def run_step(self, step: str) -> list[torch.Tensor]:
        self.steps[step](*(argument(p, self.arrays, self.shape) for p in self.toml["parameter"]))
        return [self.arrays[p["name"]] for p in self.toml["parameter"] if p["role"] == "output"]

    def versions(self) -> Iterator[tuple[str, Callable[[], Any]]]:
        yield "copy", lambda: self.to.copy_(self.from_)
        yield "read", lambda: self.all.sum()
        for name, call in TORCH[self.name].items():
            yield name, lambda call=call: call(self.arrays, self.sizes)
        for step in self.steps:
            yield step, lambda step=step: self.run_step(step)

    def expected(self) -> list[torch.Tensor]:
        if self.name == "attention":  # too large a matrix of weights: `warpwise bench` has a reference for it
            return []
        call = EXPECTED.get(self.name) or next(iter(TORCH[self.name].values()))
        if self.name in NOT_IN_DOUBLE:
            return call(self.arrays, self.sizes)
        inputs = {p["name"] for p in self.toml["parameter"] if p["role"] == "input"}
        return call({name: self.arrays[name].double() for name in inputs}, self.sizes)

    def is_right(self, got: list[torch.Tensor], expected: list[torch.Tensor]) -> bool:
        tolerance = self.shape.get("tolerance", self.toml.get("tolerance", {}))
        for mine, right in zip(got, expected):
            mine, right = mine.reshape(-1).double(), right.reshape(-1).to(mine.dtype).double()
            bound = tolerance.get("absolute", 0) + tolerance.get("relative", 0) * right.abs()
            if not bool(((mine - right).abs() <= bound).all()):
                return False
        return True


def microseconds(run: Callable[[], Any], flush: torch.Tensor) -> float:
    """Reading `flush` leaves L2 with nothing of ours and nothing to write, and takes the GPU longer than the host needs to get here."""
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    flush.sum()
    begin.record()
    run()
    end.record()
    torch.cuda.synchronize()
    return 1e3 * begin.elapsed_time(end)


def measure(ladder: str, toml: dict[str, Any], shape: dict[str, Any], steps: dict[str, Any]) -> Iterator[dict[str, Any]]:
    here = Shape(ladder, toml, shape, steps)
    times: dict[str, list[float]] = {}
    runs, verdicts = {}, {}
    expected = here.expected()
    for name, run in here.versions():
        try:
            got = run()
            torch.cuda.synchronize()
        except (AttributeError, RuntimeError) as error:
            print(f"{ladder} {shape['name']} {name}: {str(error).splitlines()[0]}", flush=True)
            continue
        if name in steps and expected:
            verdicts[name] = here.is_right(got, expected)
        first = min(microseconds(run, here.flush) for _ in range(2))
        times[name], runs[name] = [], max(2, min(MOST_RUNS, int(1e6 * SECONDS / first)))
    del expected
    for _ in range(ROUNDS):
        here.renew()
        for name, run in here.versions():
            times.get(name, []).extend(microseconds(run, here.flush) for _ in range(runs.get(name, 0)))
    for name, values in times.items():
        if not verdicts.get(name, True):
            print(f"{ladder} {shape['name']} {name}: wrong", flush=True)
            continue
        us = statistics.median(values)
        result = {"ladder": ladder, "shape": shape["name"], "step": name, "runs": len(values), "us": round(us, 3)}
        result |= {"low": round(min(values), 3), "high": round(max(values), 3)}
        if "unit" in toml["work"]:
            result["flops"] = number(toml["work"]["flops"], shape["sizes"])
        yield result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ladder", nargs="+")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--libraries", type=Path, help="where compiled steps are, or shall be left")
    parser.add_argument("--shape", default="", help="which shapes")
    words = parser.parse_args()
    folder = words.libraries or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    sources = []
    for ladder, _, names in (word.partition(":") for word in words.ladder):
        all_steps = sorted((KERNELS / ladder).glob("[0-9x]*_*.cu")) + sorted((KERNELS / ladder).glob("peer_*.cu"))
        numbered = [step for step in all_steps if step.name[0].isdigit()]
        wanted = tuple(names.split(",")) if names else (numbered[-1].name,)
        sources += [step for step in all_steps if step.name.startswith(wanted)]
    with ThreadPoolExecutor() as pool:
        libraries = dict(zip(sources, pool.map(lambda source: compiled(source, folder), sources)))
    gpu, driver = torch.cuda.get_device_name(), ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    answer = subprocess.run(driver, capture_output=True, text=True).stdout.split()
    machine = {
        "device": gpu, "driver": answer[0] if answer else "?", "compiler": "nvcc, -O3", "torch": torch.__version__,
        "date": datetime.date.today().isoformat(),
        "how": f"medians of runs timed by events, in {ROUNDS} rounds with fresh inputs, PyTorch's in turns with ours; the L2 cache is "
        "flushed before each; results are compared with double precision",
    }
    results: list[dict[str, Any]] = []
    for ladder in dict.fromkeys(source.parent.name for source in sources):
        toml = tomllib.loads((KERNELS / ladder / "ladder.toml").read_text())
        for shape in toml["shape"]:
            if shape.get("small") or (words.shape and shape["name"] not in words.shape.split(",")):
                continue
            here = [source for source in sources if source.parent.name == ladder and takes(source, shape["sizes"])]
            new = list(measure(ladder, toml, shape, {name_of(source): libraries[source] for source in here}))
            units = {name_of(source): unit for source in here if (unit := unit_of(source))}
            new = [r | ({"on": units[r["step"]]} if r["step"] in units else {}) for r in new]
            results += new
            print(f"{ladder} {shape['name']}: " + ", ".join(f"{r['step']} {r['us']:.1f}" for r in new), flush=True)
            if words.json:
                words.json.write_text(json.dumps({"machine": machine, "results": results}))


if __name__ == "__main__":
    main()
