// The bytes of copies and fills: rows, pitched rectangles and boxes, on pointers that have been checked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/device.h"

namespace warpwise::exec {

// How many bytes from its first byte a side of the copy accesses: the end of the last row. Nothing when
// that does not fit in 64 bits.
struct Extent {
  bool valid = false;
  size_t bytes = 0;
};
Extent extent_of(size_t width, size_t height, size_t depth, size_t pitch, size_t slice);

// Calls row(offset in dst, offset in src) for every row.
template <class Row>
void for_each_row(const device::CopyShape& shape, Row row) {
  for (size_t z = 0; z < shape.depth; ++z)
    for (size_t y = 0; y < shape.height; ++y)
      row(z * shape.dst_slice + y * shape.dst_pitch, z * shape.src_slice + y * shape.src_pitch);
}

// Source and destination may overlap, as with memmove.
void copy_box(std::byte* dst, const std::byte* src, const device::CopyShape& shape);

// `value_bytes` 1, 2 or 4; `width` is a multiple of it.
void fill_rows(std::byte* dst, uint32_t value, unsigned value_bytes, size_t width, size_t height, size_t pitch);

}  // namespace warpwise::exec
