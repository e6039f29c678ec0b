#!/usr/bin/env python3
"""The table of README.md that is measured: an iteration of k-means on a real GPU, each step beside PyTorch.

    python3 projects/clustering/measure.py [--json=FILE] [--libraries=FOLDER]    needs nvcc, and PyTorch with a GPU

PyTorch's iteration is written twice, as `cdist` and as a product of matrices, and the faster one counts. All take turns,
for five rounds, on inputs made by seed; labels are compared with those of double precision. There are two roofs: the
larger of reading the points once and of two operations for each coordinate and centre, in fp32 or, on tensor cores, in
tf32.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import statistics
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import torch

from room import takes

FOLDER = Path(__file__).parent / "steps" / "kmeans"
SIZES = ((1 << 24, 2, 16), (1 << 23, 8, 32), (1 << 22, 16, 64), (1 << 21, 32, 32), (1 << 20, 64, 1024))
ROUNDS, RUNS = 5, 5


def compiled(source: Path, folder: Path) -> Any:
    library = folder / f"{source.stem}.so"
    if library.exists():
        return ctypes.CDLL(str(library)).iterate
    major, minor = torch.cuda.get_device_capability()
    number = f"{major}{minor}{'a' if major >= 9 else ''}"
    architecture = f"-gencode=arch=compute_{number},code=sm_{number}"
    words = ["nvcc", "-O3", "-shared", "-Xcompiler=-fPIC", architecture, "-o", library, source]
    subprocess.run([str(word) for word in words], check=True)
    return ctypes.CDLL(str(library)).iterate


def steps(folder: Path) -> dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]]:
    """By name: what moves the centres in place and returns labels."""

    def step(iterate: Any) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
        def run(points: torch.Tensor, centres: torch.Tensor) -> torch.Tensor:
            labels = scratch[0][: len(points)]
            sums, counts, changed = scratch[1][: centres.numel()], scratch[2][: len(centres)], scratch[3]
            pointers = [ctypes.c_void_p(t.data_ptr()) for t in (points, centres, labels, sums, counts, changed)]
            iterate(*pointers, *points.shape, len(centres))
            return labels

        return run

    most = max(count for count, _, _ in SIZES)
    scratch = [
        torch.full((most,), -1, dtype=torch.int32, device="cuda"),
        torch.zeros(1 << 16, dtype=torch.float64, device="cuda"),
        torch.zeros(1 << 12, dtype=torch.int32, device="cuda"),
        torch.zeros(1, dtype=torch.int32, device="cuda"),
    ]
    sources = sorted(FOLDER.glob("*.cu"))
    with ThreadPoolExecutor() as pool:
        return {source.stem: step(found) for source, found in zip(sources, pool.map(lambda s: compiled(s, folder), sources))}


def move(points: torch.Tensor, centres: torch.Tensor, labels: torch.Tensor) -> None:
    sums = torch.zeros(centres.shape, dtype=torch.float64, device="cuda").index_add_(0, labels, points.double())
    counts = torch.bincount(labels, minlength=len(centres))[:, None]
    centres.copy_(torch.where(counts > 0, sums / counts, centres))


def by_cdist(points: torch.Tensor, centres: torch.Tensor) -> torch.Tensor:
    labels = torch.cdist(points, centres).argmin(1)
    move(points, centres, labels)
    return labels


def by_product(points: torch.Tensor, centres: torch.Tensor) -> torch.Tensor:
    labels = torch.addmm(centres.square().sum(1), points, centres.T, alpha=-2).argmin(1)
    move(points, centres, labels)
    return labels


LAUNCHING = 2_000_000  # clocks that the GPU waits, while launches are queued


def microseconds(run: Callable[[], Any]) -> float:
    """On the GPU: what Python and the driver take to launch is over before it begins."""
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda._sleep(LAUNCHING)
    begin.record()
    run()
    end.record()
    torch.cuda.synchronize()
    return 1e3 * begin.elapsed_time(end)


TENSOR = 8  # times as many operations in tf32, on the tensor cores of 9.0, as in fp32


def peak() -> tuple[float, float]:
    """Bytes a second of copying, and fp32 operations a second at the highest clock."""
    gpu = torch.cuda.get_device_properties(0)
    clocks = subprocess.run(
        ["nvidia-smi", "--query-gpu=clocks.max.sm", "--format=csv,noheader,nounits"], capture_output=True, text=True
    )
    source, target = (torch.empty(1 << 28, dtype=torch.int32, device="cuda") for _ in range(2))
    least = min(microseconds(lambda: target.copy_(source)) for _ in range(10))
    return 2 * source.nbytes / (1e-6 * least), 2 * 128 * gpu.multi_processor_count * 1e6 * float(clocks.stdout.split()[0])


def measure(size: tuple[int, int, int], versions: dict[str, Any], bytes_per_second: float, flops: float) -> dict[str, Any]:
    count, dimensions, clusters = size
    torch.manual_seed(1)
    points = torch.randn(count, dimensions, device="cuda") + 4 * torch.randn(clusters, dimensions, device="cuda")[
        torch.randint(clusters, (count,), device="cuda")
    ]
    start = points[torch.randperm(count, device="cuda")[:clusters]].clone()
    some = points[: 1 << 16].double().split(1 << 10)
    right = torch.cat([(part[:, None] - start.double()[None]).square().sum(2).argmin(1) for part in some])
    versions = {name: version for name, version in versions.items() if takes(name, dimensions, clusters)}
    times: dict[str, list[float]] = {name: [] for name in versions}
    wrong = {}
    for name, version in versions.items():
        labels = version(points, start.clone())
        wrong[name] = int((labels[: len(right)] != right).sum())
    for _ in range(ROUNDS):
        for name, version in versions.items():
            for _ in range(RUNS):
                centres = start.clone()
                times[name].append(microseconds(lambda: version(points, centres)))
    reading, operations = points.nbytes / bytes_per_second, 2.0 * count * dimensions * clusters
    return {
        "size": size,
        "roof_us": 1e6 * max(reading, operations / flops),
        "tensor_roof_us": 1e6 * max(reading, operations / (TENSOR * flops)),
        "us": {name: statistics.median(values) for name, values in times.items()},
        "labels_unlike_double": wrong,
    }


def cell(result: dict[str, Any], name: str) -> str:
    us = result["us"].get(name)
    return f"{us:.0f}, {result['roof_us'] / us:.2f}, {result['tensor_roof_us'] / us:.2f}" if us else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--libraries", type=Path, help="a folder with steps that are compiled already")
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    with tempfile.TemporaryDirectory() as folder:
        versions = steps(options.libraries or Path(folder)) | {"PyTorch, cdist": by_cdist, "PyTorch, product": by_product}
        rates = peak()
        results = [measure(size, versions, *rates) for size in SIZES]
    print(f"On one {torch.cuda.get_device_name()}, PyTorch {torch.__version__}, µs and shares of the two roofs:\n")
    print("| Version | " + " | ".join("{} points, {} dimensions, {} clusters".format(*r["size"]) for r in results) + " |")
    print("|---|" + "---:|" * len(results))
    for name in versions:
        print(f"| {name} | " + " | ".join(cell(r, name) for r in results) + " |")
    for r in results:
        print("labels unlike double precision's, of 65536:", r["labels_unlike_double"])
    if options.json:
        options.json.write_text(json.dumps({"gpu": torch.cuda.get_device_name(), "rates": rates, "results": results}, indent=1))


if __name__ == "__main__":
    main()
