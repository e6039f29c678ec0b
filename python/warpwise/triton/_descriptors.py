"""Tensor descriptors that the host makes (triton.tools.tensor_descriptor.TensorDescriptor).

A descriptor is one parameter in Python and several in PTX:

    with TMA       the CUtensorMap, the sizes as i32, the strides as i64
    without        the address, sizes and strides as i64, whether padding is NaN, then sizes and strides as above

Which of the two, the compiled kernel's `tensordesc_meta` says: an entry for each descriptor, or none at all.
"""

from __future__ import annotations

from typing import Any, Iterable, Iterator

from .._native import TensorMap

_PROMOTE_TO_128_BYTES = 2  # CU_TENSOR_MAP_L2_PROMOTION_L2_128B
_FILL_NAN = 1  # CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
# Triton's numbers of types are those of tensormap.replace, which differ from CUtensorMapDataType in three.
_HOST_TYPE = {8: 10, 9: 8, 10: 9}


class DescribedTensor:
    """What becomes a CUtensorMap."""

    def __init__(self, descriptor: Any, meta: dict[str, Any]) -> None:
        self.tensor = descriptor.base
        self._descriptor = descriptor
        self._meta = meta

    def encode(self, array: tuple[int, int, int]) -> TensorMap:
        """`array`: a ww_argument for the tensor's memory."""
        meta, descriptor = self._meta, self._descriptor
        sizes = list(descriptor.shape)
        if meta["fp4_padded"]:
            sizes[-1] *= 2  # a byte of shape is two elements
        rank = len(sizes)
        tensor_map = TensorMap(
            type=_HOST_TYPE.get(meta["elem_type"], meta["elem_type"]),
            rank=rank,
            swizzle=meta["swizzle"],
            promotion=_PROMOTE_TO_128_BYTES,
            fill=_FILL_NAN if descriptor.padding == "nan" else 0,
        )
        tensor_map.array[:] = array
        tensor_map.sizes[:rank] = sizes[::-1]
        tensor_map.strides[: rank - 1] = [meta["elem_size"] * stride for stride in descriptor.strides[:-1]][::-1]
        tensor_map.box[:rank] = list(meta["block_size"])[::-1]
        tensor_map.element_strides[:] = [1] * 5
        return tensor_map


def _rank(kind: str) -> int:
    """Of "tensordesc<fp16[128, 64]>" and "tensordesc<fp16[128, 64],layout>"."""
    return kind[kind.index("[") + 1 : kind.index("]")].count(",") + 1


class Descriptors:
    """Takes parameters and values apart. `metas`: the compiled kernel's tensordesc_meta."""

    def __init__(self, metas: Any) -> None:
        self._metas = list(metas or [])

    def parameters(self, flat: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Names and types of the PTX's parameters; a tensor map's is "map"."""
        parameters: list[tuple[str, str]] = []
        found = 0
        for name, kind in flat:
            if not kind.startswith("tensordesc"):
                parameters.append((name, kind))
                continue
            rank = _rank(kind)
            if self._meta(found):
                parameters.append((name, "map"))
            else:
                element = kind[kind.index("<") + 1 : kind.index("[")]
                parameters.append((name, "*" + element))
                parameters += [(f"{name}_{what}{i}", "i64") for what in ("shape", "strides") for i in range(rank)]
                parameters.append((f"{name}_padding", "i1"))
            parameters += [(f"{name}_shape{i}", "i32") for i in range(rank)]
            parameters += [(f"{name}_strides{i}", "i64") for i in range(rank)]
            found += 1
        return parameters

    def values(self, flat: Iterable[Any]) -> Iterator[Any]:
        """The values of these parameters."""
        found = 0
        for value in flat:
            if not hasattr(value, "block_shape"):
                yield value
                continue
            meta = self._meta(found)
            if meta:
                yield DescribedTensor(value, meta)
            else:
                yield from (value.base, *value.shape, *value.strides, value.padding == "nan")
            yield from value.shape
            yield from value.strides
            found += 1

    def _meta(self, index: int) -> dict[str, Any] | None:
        return self._metas[index] if index < len(self._metas) else None
