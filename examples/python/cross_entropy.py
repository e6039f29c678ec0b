#!/usr/bin/env python3
"""Softmax and cross entropy as one kernel of PyTorch: checked, held against autograd, and trained with.

    PYTHONPATH=python WARPWISE_LIBRARIES=build/release/lib python3 examples/python/cross_entropy.py

A network learns three arms of a spiral. docs/python_examples.md tells the story.
"""

from pathlib import Path
from typing import Any

import torch

import warpwise as ww
import warpwise.torch

THREADS = 128  # kThreads of cross_entropy.cu

fused = ww.torch.op(
    Path(__file__).with_name("cross_entropy.cu"),
    forward="cross_entropy",
    backward="cross_entropy_backward",
    outputs={"loss": lambda logits, target: logits.shape[:1], "lse": lambda logits, target: logits.shape[:1]},
    block=THREADS,
    grid=lambda logits, target: logits.shape[0],
)


def cross_entropy(logits: torch.Tensor, target: torch.Tensor) -> Any:
    """The mean loss of rows of logits, as torch.nn.functional.cross_entropy gives it."""
    return fused(logits, target, classes=logits.shape[1])[0].mean()


def check() -> None:
    """Values, gradients in double, every access."""
    logits = torch.randn(6, 200, dtype=torch.float64, requires_grad=True)
    target = torch.randint(200, (6,))
    torch.testing.assert_close(cross_entropy(logits, target), torch.nn.functional.cross_entropy(logits, target))
    few = torch.randn(3, 5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: fused(x, target[:3] % 5, classes=5), (few,))
    report = ww.check(cross_entropy, torch.randn(4, 300), torch.randint(300, (4,)))
    assert report.clean, report


def spiral(count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Points of three arms that wind round one another, and the number of the arm of each."""
    target = torch.arange(count) % 3
    radius = torch.linspace(0.1, 1, count)
    angle = 4 * radius + target * 2.0944 + 0.15 * torch.randn(count)
    return torch.stack([radius * angle.cos(), radius * angle.sin()], 1), target


def train(steps: int = 300) -> float:
    """Learns the spiral; returns the share of points that get their arm."""
    torch.manual_seed(3)
    points, target = spiral(300)
    model = torch.nn.Sequential(torch.nn.Linear(2, 64), torch.nn.ReLU(), torch.nn.Linear(64, 3))
    optimizer = torch.optim.Adam(model.parameters(), 0.02)
    for step in range(steps):
        loss = cross_entropy(model(points), target)
        if step % 100 == 0 or step == steps - 1:
            print(f"step {step}: loss {loss.item():.3f}")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return float((model(points).argmax(1) == target).float().mean())


if __name__ == "__main__":
    check()
    print(f"{100 * train():.0f} % of the points get their arm")
