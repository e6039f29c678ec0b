#!/usr/bin/env python3
"""A CUDA kernel as an activation of PyTorch: checked, held against autograd, and trained with.

    PYTHONPATH=python WARPWISE_LIBRARIES=build/release/lib python3 examples/python/polynomial.py

A cubic polynomial is fitted to sin(x), as in PyTorch's own tutorial, by y = a + b P3(c + d x): four numbers to learn, and
P3 the kernel of polynomial.cu. docs/python.md tells the story.
"""

import math
from pathlib import Path

import torch

import warpwise as ww
import warpwise.torch


def fit(steps: int = 2000) -> float:
    """Trains the four numbers; returns the last loss."""
    legendre = ww.torch.op(
        Path(__file__).with_name("polynomial.cu"), forward="legendre", backward="legendre_backward"
    )

    # The gradient, held against differences of the forward kernel, in double precision.
    x = torch.linspace(-2, 2, 17, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(legendre, (x,))

    # Nothing is read or written that should not be.
    report = ww.check(legendre, torch.linspace(-1, 1, 1000))
    assert report.clean, report

    x = torch.linspace(-math.pi, math.pi, 2000)
    y = torch.sin(x)
    a, b, c, d = (torch.tensor(v, requires_grad=True) for v in (0.0, -1.0, 0.0, 0.3))
    rate = 5e-6
    loss = torch.tensor(math.inf)
    for _ in range(steps):
        loss = (a + b * legendre(c + d * x) - y).pow(2).sum()
        loss.backward()
        with torch.no_grad():
            for parameter in (a, b, c, d):
                parameter -= rate * parameter.grad
                parameter.grad = None
    print(f"loss {loss.item():.2f}: sin(x) is about {a.item():.3f} + {b.item():.3f} P3({c.item():.3f} + {d.item():.3f} x)")
    return loss.item()


if __name__ == "__main__":
    fit()
