"""Tensors whose addresses a kernel finds in a tensor of integers, as for a group of products in one launch:

    table = torch.tensor([a.data_ptr() for a in group])     # int64
    kernel[grid](table, ...)                                # tl.load(table + i).to(tl.pointer_type(tl.float16))

The virtual GPU has memory of its own, so that what the table leads to must go there with it, and its words must become
addresses there. Numbers that are no addresses must stay what they are: only a kernel whose PTX uses what it has loaded as
an address has tables, and only a word that lies in the storage of a live tensor is one.
"""

from __future__ import annotations

import gc
import re
import sys
from typing import Any, Iterable

_INSTRUCTION = re.compile(r"^\s*(?:@!?%\w+\s+)?([a-z][\w.:]*)\s+([^;]*);", re.M)
_REGISTER = re.compile(r"%rd\d+")
_ADDRESS = re.compile(r"\[\s*(%rd\d+)")


def follows_addresses(ptx: str) -> bool:
    """Whether a word of 64 bits that a kernel loads becomes an address, as far as moves and sums show."""
    sources: dict[str, set[str]] = {}  # of a register: those that it is calculated from
    addresses, loaded = set(), set()
    for name, operands in _INSTRUCTION.findall(ptx):
        addresses.update(_ADDRESS.findall(operands))
        if name.startswith("tensormap.replace"):
            addresses.update(_REGISTER.findall(operands))
        elif name.startswith("ld.global"):
            loaded.update(_REGISTER.findall(operands.split("[")[0]))
        elif name.startswith(("mov.", "add.", "sub.", "mad.", "selp.", "cvta.", "or.")):
            registers = _REGISTER.findall(operands)
            if registers:
                sources.setdefault(registers[0], set()).update(registers[1:])
    seen: set[str] = set()
    open_registers = list(addresses)
    while open_registers:
        register = open_registers.pop()
        if register in loaded:
            return True
        if register not in seen:
            seen.add(register)
            open_registers += sources.get(register, ())
    return False


def is_table(value: Any, kind: str) -> bool:
    """Whether an argument may hold addresses: a tensor of PyTorch, of integers of 64 bits."""
    torch = sys.modules.get("torch")
    return torch is not None and kind in ("*i64", "*u64") and isinstance(value, torch.Tensor) and value.dtype == torch.int64


def _storage_of(tensor: Any) -> Any:
    return tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()


def _live_storages(torch: Any) -> list[tuple[int, int]]:
    """Begin and size of each storage of the CPU that a tensor of Python has, by address; no two begin at the same one."""
    found: dict[int, int] = {}
    for candidate in gc.get_objects():
        if type(candidate) not in (torch.Tensor, torch.nn.Parameter):  # others may have no memory
            continue
        if candidate.device.type == "cpu" and candidate.layout == torch.strided:
            storage = _storage_of(candidate)
            found[storage.data_ptr()] = storage.nbytes()
    return sorted((begin, size) for begin, size in found.items() if begin and size)


def led_to(tables: Iterable[Any]) -> list[tuple[int, int]]:
    """Begin and size of each storage that a word of these tables lies in."""
    torch = sys.modules["torch"]
    live = _live_storages(torch)
    if not live:  # tensors of other types, which may have no memory
        return []
    begins = torch.tensor([begin for begin, _ in live])
    ends = torch.tensor([begin + size for begin, size in live])
    reached: set[int] = set()
    for table in tables:
        storage = _storage_of(table)
        words = torch.empty(0, dtype=torch.int64).set_(storage, 0, (storage.nbytes() // 8,))
        words = words[words >= begins[0]]
        at = torch.bucketize(words, begins, right=True) - 1
        reached.update(at[words < ends[at]].unique().tolist())
    return [live[at] for at in sorted(reached)]
