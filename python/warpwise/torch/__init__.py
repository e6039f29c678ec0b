"""CUDA sources as PyTorch operators, on CPU tensors: `op` with autograd, and `load_inline` as torch.utils.cpp_extension
has it. Works with torch 1.13 (Debian 12) and newer."""

from ._inline import load_inline
from ._operator import Operator, op

__all__ = ["Operator", "load_inline", "op"]
