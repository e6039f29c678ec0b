"""CUDA sources as PyTorch operators: `op` with autograd, and `load_inline` as torch.utils.cpp_extension has it. Works with
torch 1.13 (Debian 12) and newer. CPU tensors run on the virtual GPU, CUDA tensors of `op` on their own one; those of
`load_inline` go to the virtual GPU and back."""

from ._inline import load_inline
from ._operator import Operator, op

__all__ = ["Operator", "load_inline", "op"]
