#!/usr/bin/env python3
"""The same network in PyTorch: trained on the same batches, or timed.

    mnist export FOLDER                          # weights, images, batches and our reference's losses
    compare/pytorch_mnist.py losses FOLDER       # PyTorch's losses, a line for each training step
    compare/pytorch_mnist.py time --batch 512 --precision bf16 --mode graphs

Nothing else in the project needs PyTorch. Modes: eager; compile (torch.compile); graphs (torch.compile with CUDA graphs,
mode "reduce-overhead"); eager-graphs (the eager step captured by hand into one CUDA graph). A training step is: take the next
batch, forward, backward, update, gradients set to none. Images are on the GPU as bytes; a batch is gathered by index, as ours is.
"""
import argparse
import json
import os
import struct
import time

import torch
from torch import nn
import torch.nn.functional as F


PRECISIONS = ["fp64", "fp32", "tf32", "bf16"]


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(32, track_running_stats=False)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1)
        self.norm2 = nn.BatchNorm2d(64, track_running_stats=False)
        self.linear1 = nn.Linear(3136, 128)
        self.linear2 = nn.Linear(128, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.norm2(self.conv2(x))), 2)
        return self.linear2(F.relu(self.linear1(x.flatten(1))))


def load_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    tensors = {}
    for name, about in header.items():
        if name == "__metadata__":
            continue
        begin, end = about["data_offsets"]
        flat = torch.frombuffer(bytearray(data[8 + length + begin:8 + length + end]), dtype=torch.float32)
        tensors[name] = flat.reshape(about["shape"])
    return tensors


def load_idx(path):
    with open(path, "rb") as file:
        data = file.read()
    shape = struct.unpack(">" + "I" * data[3], data[4:4 + 4 * data[3]])
    return torch.frombuffer(bytearray(data[4 + 4 * data[3]:]), dtype=torch.uint8).reshape(shape)


def set_precision(precision):
    """fp32: no TF32 anywhere. tf32: everywhere. bf16: autocast, on top of tf32."""
    torch.backends.cuda.matmul.allow_tf32 = precision != "fp32"
    torch.backends.cudnn.allow_tf32 = precision != "fp32"
    torch.backends.cudnn.benchmark = True


def versions():
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    return f"torch {torch.__version__}, CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}, {device}"


def losses(folder, device, rate):
    start = load_safetensors(os.path.join(folder, "start.safetensors"))
    images = load_idx(os.path.join(folder, "train-images-idx3-ubyte")).to(device)
    labels = load_idx(os.path.join(folder, "train-labels-idx1-ubyte")).to(device).long()
    batches = [[int(i) for i in line.split()] for line in open(os.path.join(folder, "batches.txt"))]
    columns = {}
    for name in PRECISIONS:
        set_precision("fp32" if name == "fp64" else name)
        kind = torch.float64 if name == "fp64" else torch.float32
        network = Network().to(device)
        network.load_state_dict(start)
        network = network.to(kind)
        optimizer = torch.optim.SGD(network.parameters(), lr=rate)
        got = []
        for batch in batches:
            x = images[batch].to(kind).unsqueeze(1) / 255
            with torch.autocast(device, dtype=torch.bfloat16, enabled=name == "bf16"):
                loss = F.cross_entropy(network(x).float() if name == "bf16" else network(x), labels[batch])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            got.append(loss.item())
        columns[name] = got
    print(f"# The losses of {len(batches)} training steps of compare/pytorch_mnist.py, as `pytorch_mnist.py losses FOLDER` prints them, for the")
    print(f"# weights and batches that `mnist export FOLDER` writes: batches of {len(batches[0])}, learning rate {rate}.")
    print("# " + versions())
    print("# " + " ".join(PRECISIONS))
    for row in zip(*columns.values()):
        print(" ".join(f"{loss:.8f}" for loss in row))


def timing(batch, precision, mode, channels_last, rounds, runs):
    set_precision(precision)
    torch.manual_seed(1)
    network = Network().cuda()
    if channels_last:
        network = network.to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01)
    count = max(4 * batch, 2048)
    images = (torch.randn(count, 1, 28, 28, device="cuda") * 48 + 128).clamp(0, 255).to(torch.uint8)
    labels = torch.randint(10, (count,), device="cuda")
    order = torch.cat([torch.randperm(count, device="cuda") for _ in range(runs * batch // count + 2)])

    def forward(x, y):
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=precision == "bf16"):
            return F.cross_entropy(network(x), y)

    model = forward
    if mode == "compile":
        model = torch.compile(forward)
    if mode == "graphs":
        model = torch.compile(forward, mode="reduce-overhead")

    def take(index):
        x = images[index].float() / 255
        if channels_last:
            x = x.contiguous(memory_format=torch.channels_last)
        return x, labels[index]

    def step(index):
        x, y = take(index)
        optimizer.zero_grad(set_to_none=True)
        loss = model(x, y)
        loss.backward()
        optimizer.step()
        return loss

    run = step
    if mode == "eager-graphs":
        index_now = order[:batch].clone()
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            for _ in range(5):
                step(index_now)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        optimizer.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            step(index_now)

        def run(index):
            index_now.copy_(index)
            graph.replay()

    for i in range(20):
        if mode == "graphs":
            torch.compiler.cudagraph_mark_step_begin()
        run(order[i % 4 * batch:(i % 4 + 1) * batch])
    torch.cuda.synchronize()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for i in range(runs):
            if mode == "graphs":
                torch.compiler.cudagraph_mark_step_begin()
            run(order[i * batch:(i + 1) * batch])
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / runs * 1e6)
    times.sort()
    layout = "channels-last" if channels_last else "contiguous"
    print(f"pytorch {mode} {layout} {precision} batch {batch}: median {times[len(times) // 2]:.1f} us ({times[0]:.1f} to {times[-1]:.1f}; "
          f"{rounds} rounds of {runs} steps, random data) torch {torch.__version__}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("losses")
    one.add_argument("folder")
    one.add_argument("--rate", type=float, default=0.01)
    one.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    two = commands.add_parser("time")
    two.add_argument("--batch", type=int, nargs="+", default=[512, 4096])
    two.add_argument("--precision", nargs="+", choices=["fp32", "tf32", "bf16"], default=["fp32", "tf32", "bf16"])
    two.add_argument("--mode", nargs="+", choices=["eager", "compile", "graphs", "eager-graphs"], default=["eager", "compile", "graphs", "eager-graphs"])
    two.add_argument("--layout", nargs="+", choices=["contiguous", "channels-last"], default=["contiguous"])
    two.add_argument("--rounds", type=int, default=5)
    two.add_argument("--runs", type=int, default=100)
    arguments = parser.parse_args()
    if arguments.command == "losses":
        losses(arguments.folder, arguments.device, arguments.rate)
        return
    for batch in arguments.batch:
        for precision in arguments.precision:
            for mode in arguments.mode:
                for layout in arguments.layout:
                    torch.compiler.reset()
                    try:
                        timing(batch, precision, mode, layout == "channels-last", arguments.rounds, arguments.runs)
                    except Exception as error:  # a mode that a version of PyTorch does not have must not end the rest
                        print(f"pytorch {mode} {layout} {precision} batch {batch}: failed: {str(error)[:200]}", flush=True)


if __name__ == "__main__":
    main()
