"""`op`: a forward and a backward function of a CUDA source as one differentiable operator.

The names of parameters say what they are:

    forward    const REAL* x        an input, in the order of the parameters
               REAL* y              an output
    backward   const REAL* grad_y   the gradient of output `y`
               const REAL* x, y     an input or an output of forward
               REAL* grad_x         the gradient of input `x`, to be written
    both       long n               the number of elements of the first input
               any other number     a keyword argument of the operator

`REAL` is a macro that the compiler gets: float, double or __half, as the tensors are. torch.autograd.gradcheck needs
double.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

import torch

from ..errors import ArgumentError
from ..functions import Kernel
from ..module import Function, Module, load
from ..signatures import Parameter

_REALS = {torch.float32: "float", torch.float64: "double", torch.float16: "__half"}

Shape = Callable[..., Sequence[int]]
Grid = Callable[..., Any]


@dataclass(frozen=True)
class _Roles:
    """What the parameters of a function are, by name."""

    tensors: tuple[str, ...]  # that are read
    results: tuple[str, ...]  # that are written
    numbers: tuple[str, ...]

    @staticmethod
    def of(function: Function) -> _Roles:
        parameters = function.signature.parameters
        for parameter in parameters:
            if not parameter.name:
                raise ArgumentError(f"a parameter of `{function.signature.name}` has no name: {function.signature}")

        def named(fits: Callable[[Parameter], bool]) -> tuple[str, ...]:
            return tuple(p.name for p in parameters if fits(p))

        return _Roles(
            named(lambda p: p.type.pointer and p.type.constant),
            named(lambda p: p.type.pointer and not p.type.constant),
            named(lambda p: not p.type.pointer),
        )


class Operator:
    """What `op` returns: call it with the input tensors, and the remaining numbers by keyword."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        source: str | None,
        forward: str,
        backward: str | None,
        block: int,
        grid: Grid | None,
        outputs: Mapping[str, Shape],
        flags: Sequence[str],
    ) -> None:
        self._path, self._source, self._flags = path, source, tuple(flags)
        self._names = (forward, backward)
        self._block, self._grid, self._shapes = block, grid, dict(outputs)
        self._modules: dict[torch.dtype, Module] = {}
        module = self._module(torch.float32)
        self._forward = _Roles.of(module[forward])
        self._backward = _Roles.of(module[backward]) if backward else None
        self.__name__ = forward
        self._check_names()

    def _check_names(self) -> None:
        forward, backward = self._forward, self._backward
        name = self._names[0]
        if not forward.tensors or not forward.results:
            raise ArgumentError(f"`{name}` needs an input (a pointer to const) and an output (another pointer)")
        if unknown := set(self._shapes) - set(forward.results):
            raise ArgumentError(f"outputs= names {sorted(unknown)}, and the outputs of `{name}` are {forward.results}")
        if backward is None:
            return
        known = {f"grad_{r}" for r in forward.results} | set(forward.tensors) | set(forward.results)
        wanted = {f"grad_{t}" for t in forward.tensors}
        for tensor in backward.tensors:
            if tensor not in known:
                raise ArgumentError(f"`{tensor}` of `{self._names[1]}` is none of {', '.join(sorted(known))}")
        for result in backward.results:
            if result not in wanted:
                raise ArgumentError(f"`{result}` of `{self._names[1]}` is none of {', '.join(sorted(wanted))}")

    def _module(self, dtype: torch.dtype) -> Module:
        module = self._modules.get(dtype)
        if module is None:
            real = _REALS.get(dtype)
            if real is None:
                raise ArgumentError(f"`{self.__name__}` takes tensors of float32, float64 or float16, not {dtype}")
            flags = [*self._flags, f"-DREAL={real}"]
            if dtype == torch.float16:  # a source for float and double has no reason to include it
                flags += ["-include", "cuda_fp16.h"]
            module = load(self._path, source=self._source, flags=flags)
            self._modules[dtype] = module
        return module

    def __call__(self, *inputs: torch.Tensor, **numbers: Any) -> Any:
        forward = self._forward
        if len(inputs) != len(forward.tensors):
            raise ArgumentError(f"`{self.__name__}` takes {len(forward.tensors)} tensors: {', '.join(forward.tensors)}")
        results = _Differentiable.apply(self, numbers, *inputs)
        return results[0] if len(results) == 1 else results

    def run_forward(self, inputs: Sequence[torch.Tensor], numbers: dict[str, Any]) -> dict[str, torch.Tensor]:
        tensors = dict(zip(self._forward.tensors, inputs))
        first = inputs[0]
        made = {
            name: torch.empty(
                tuple(self._shapes[name](*inputs)) if name in self._shapes else first.shape,
                dtype=first.dtype,
                device=first.device,
            )
            for name in self._forward.results
        }
        self._run(self._names[0], self._forward, {**tensors, **made}, inputs, numbers)
        return made

    def run_backward(
        self, known: dict[str, torch.Tensor], inputs: Sequence[torch.Tensor], numbers: dict[str, Any]
    ) -> list[torch.Tensor | None]:
        assert self._backward is not None and self._names[1] is not None
        made = {
            f"grad_{name}": torch.zeros_like(known[name], memory_format=torch.contiguous_format)
            for name in self._forward.tensors
            if f"grad_{name}" in self._backward.results
        }
        self._run(self._names[1], self._backward, {**known, **made}, inputs, numbers)
        return [made.get(f"grad_{name}") for name in self._forward.tensors]

    @property
    def differentiable(self) -> bool:
        return self._backward is not None

    def _run(
        self,
        name: str,
        roles: _Roles,
        tensors: dict[str, torch.Tensor],
        inputs: Sequence[torch.Tensor],
        numbers: dict[str, Any],
    ) -> None:
        function = self._module(inputs[0].dtype)[name]
        values = {"n": inputs[0].numel(), **numbers}
        if missing := [number for number in roles.numbers if number not in values]:
            raise ArgumentError(f"`{self.__name__}` needs {', '.join(f'{m}=' for m in missing)}")
        arguments = [
            tensors[p.name] if p.type.pointer else values[p.name] for p in function.signature.parameters
        ]
        if isinstance(function, Kernel):
            threads = max(tensors[result].numel() for result in roles.results)
            grid = self._grid(*inputs) if self._grid else -(-threads // self._block)
            function[grid, self._block](*arguments)
        else:
            function(*arguments)


class _Differentiable(torch.autograd.Function):
    """Connects an operator with autograd. The gradient itself has no gradient."""

    @staticmethod
    def forward(ctx: Any, operator: Operator, numbers: dict[str, Any], *inputs: torch.Tensor) -> Any:
        given = tuple(t.contiguous() for t in inputs)
        results = operator.run_forward(given, numbers)
        ctx.operator, ctx.numbers, ctx.count = operator, numbers, len(given)
        outputs = tuple(results.values())
        ctx.save_for_backward(*given, *outputs)
        return outputs

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        operator: Operator = ctx.operator
        if not operator.differentiable:
            raise ArgumentError(f"`{operator.__name__}` was made without backward=: it has no gradient")
        saved = ctx.saved_tensors
        inputs, outputs = saved[: ctx.count], saved[ctx.count :]
        known = dict(zip(operator._forward.tensors, inputs))
        known.update(zip(operator._forward.results, outputs))
        known.update((f"grad_{n}", g.contiguous()) for n, g in zip(operator._forward.results, gradients))
        return (None, None, *operator.run_backward(known, inputs, ctx.numbers))


def op(
    path: str | os.PathLike[str] | None = None,
    *,
    forward: str,
    backward: str | None = None,
    source: str | None = None,
    block: int = 256,
    grid: Grid | None = None,
    outputs: Mapping[str, Shape] | None = None,
    flags: Sequence[str] = (),
) -> Operator:
    """An operator whose forward and backward are kernels, or host functions, of a CUDA source.

    A kernel runs with blocks of `block` threads, one thread for each element of its largest result, or with
    grid(*inputs). Outputs have the shape of the first input, unless outputs={"y": lambda x: ...} says otherwise.
    """
    return Operator(path, source, forward, backward, block, grid, outputs or {}, flags)
