#!/usr/bin/env python3
"""Automatic differentiation of scalars on the GPU: an expression written in Python, run and differentiated by kernels.

    PYTHONPATH=python WARPWISE_LIBRARIES=build/release/lib python3 examples/python/micrograd.py

A network of 2, 8 and 1 neurons learns two interleaved half circles. Nothing but numpy is needed. docs/python_examples.md
tells the story.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import warpwise as ww

LEAF, ADD, MULTIPLY, POWER, TANH, RELU = range(6)


class Value:
    """A node of an expression: an operation and its operands. Numbers come later, from a Program."""

    def __init__(self, operation: int = LEAF, left: Value | None = None, right: Value | None = None, constant: float = 0):
        self.operation, self.left, self.right, self.constant = operation, left, right, constant
        self.level = 1 + max(v.level for v in (left, right) if v) if left else 0

    def __add__(self, other: Value) -> Value:
        return Value(ADD, self, other)

    def __mul__(self, other: Value) -> Value:
        return Value(MULTIPLY, self, other)

    def __pow__(self, exponent: float) -> Value:
        return Value(POWER, self, None, exponent)

    def tanh(self) -> Value:
        return Value(TANH, self)

    def relu(self) -> Value:
        return Value(RELU, self)


class Program:
    """An expression as arrays, its nodes in the order of their levels, for a batch of samples."""

    def __init__(self, output: Value, leaves: list[Value], batch: int, real: str = "float") -> None:
        nodes, waiting, seen = list(leaves), [output], set(map(id, leaves))
        while waiting:
            node = waiting.pop()
            if id(node) not in seen:
                seen.add(id(node))
                nodes.append(node)
                waiting += [v for v in (node.left, node.right) if v]
        nodes.sort(key=lambda v: v.level)  # stable: the leaves keep their order
        place = {id(node): i for i, node in enumerate(nodes)}
        levels = [node.level for node in nodes]
        dtype = {"float": np.float32, "double": np.float64}[real]

        def operands(which: str) -> np.ndarray:
            return np.array([place[id(getattr(v, which) or v.left or v)] for v in nodes], np.int32)

        # Memory that host and kernels share: no copies at each call.
        self._structure = [
            ww.array(np.array([node.operation for node in nodes], np.int32)),
            ww.array(operands("left")),
            ww.array(operands("right")),
            ww.array(np.array([node.constant for node in nodes], dtype)),
        ]
        self._starts = ww.array(np.searchsorted(levels, np.arange(levels[-1] + 2)).astype(np.int32))
        self._levels, self._batch = levels[-1] + 1, batch
        self.value, self.gradient = ww.zeros((len(nodes), batch), dtype), ww.zeros((len(nodes), batch), dtype)
        self._output = place[id(output)]
        self._module = ww.load(Path(__file__).with_name("micrograd.cu"), flags=[f"-DREAL={real}"])

    def forward(self, leaves: np.ndarray) -> np.ndarray:
        """The output of each sample; `leaves` has a row for each leaf."""
        self.value[: len(leaves)] = leaves
        self._module.forward(*self._structure, self.value, self._starts, self._levels, self._batch)
        return self.value[self._output]

    def backward(self, count: int) -> np.ndarray:
        """The gradient of each sample's output by the first `count` leaves."""
        self.gradient[:] = 0
        self.gradient[self._output] = 1
        self._module.backward(*self._structure, self.value, self.gradient, self._starts, self._levels, self._batch)
        return self.gradient[:count]


def network(inputs: list[Value], hidden: int) -> tuple[Value, list[Value]]:
    """One hidden layer of tanh, one output; and its parameters."""
    parameters: list[Value] = []

    def parameter() -> Value:
        parameters.append(Value())
        return parameters[-1]

    def neuron(values: list[Value]) -> Value:
        total = parameter()
        for value in values:
            total = total + parameter() * value
        return total

    return neuron([neuron(inputs).tanh() for _ in range(hidden)]), parameters


def half_circles(count: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Points (2, count) of two half circles that reach into one another, and their sides, -1 and 1."""
    angle, side = random.uniform(0, np.pi, count), np.where(np.arange(count) % 2, 1.0, -1.0)
    x = np.stack([np.cos(angle) * side + (side > 0) * 1.0, np.sin(angle) * side + (side > 0) * 0.5])
    return x + random.normal(0, 0.08, x.shape), side


def gradient_error() -> float:
    """The largest difference between the kernels' gradient and one of differences, in double."""
    a, b, c = Value(), Value(), Value()
    expression = ((a * b + c).tanh() * a + (b * b).relu() ** 1.5) * c + a
    program = Program(expression, [a, b, c], batch=4, real="double")
    leaves = np.random.default_rng(1).uniform(0.5, 1.5, (3, 4))
    program.forward(leaves)
    found, step = program.backward(3).copy(), 1e-6
    differences = np.empty_like(found)
    for leaf in range(3):
        moved = np.zeros_like(leaves)
        moved[leaf] = step
        above = program.forward(leaves + moved).copy()
        differences[leaf] = (above - program.forward(leaves - moved)) / (2 * step)
    return float(np.abs(found - differences).max())


def train(steps: int = 200, count: int = 100) -> float:
    """Learns the half circles; returns the share of points on the right side."""
    random = np.random.default_rng(7)
    points, side = half_circles(count, random)
    inputs, wanted = [Value(), Value()], Value()
    score, parameters = network(inputs, hidden=8)
    minus = Value()  # the constant -1
    loss = (score + minus * wanted) ** 2
    program = Program(loss, [*parameters, *inputs, wanted, minus], batch=count)
    scoring = Program(score, [*parameters, *inputs], batch=count)
    weights = random.normal(0, 0.7, (len(parameters), 1))
    data = np.vstack([points, side, -np.ones(count)])
    for step in range(steps):
        losses = program.forward(np.vstack([np.broadcast_to(weights, (len(weights), count)), data]))
        if step % 50 == 0 or step == steps - 1:
            print(f"step {step}: loss {losses.mean():.3f}")
        weights -= 0.1 * program.backward(len(weights)).mean(axis=1, keepdims=True)
    scores = scoring.forward(np.vstack([np.broadcast_to(weights, (len(weights), count)), points]))
    return float((np.sign(scores) == side).mean())


if __name__ == "__main__":
    print(f"gradients differ by {gradient_error():.1e} from differences")
    print(f"{100 * train():.0f} % of the points are on the right side")
