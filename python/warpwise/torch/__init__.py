"""CUDA sources as PyTorch operators: `op` with autograd, and `load_inline` as torch.utils.cpp_extension has it. Works with
torch 1.13 (Debian 12) and newer. They run on the virtual GPU; CUDA tensors go there and back by way of the host."""

from ._inline import load_inline
from ._operator import Operator, op

__all__ = ["Operator", "load_inline", "op"]
