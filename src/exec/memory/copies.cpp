#include "exec/memory/copies.h"

#include <cstring>
#include <vector>

#include "exec/memory/zero_fill.h"

namespace warpwise::exec {
namespace {

// Rows that follow each other without a gap are one long row.
device::CopyShape joined(device::CopyShape s) {
  if (s.height > 1 && s.dst_pitch == s.width && s.src_pitch == s.width &&
      (s.depth == 1 || s.dst_slice == s.src_slice)) {
    s.width *= s.height;
    s.height = 1;
  }
  if (s.height == 1 && s.depth > 1 && s.dst_slice == s.width && s.src_slice == s.width) {
    s.width *= s.depth;
    s.depth = 1;
  }
  return s;
}

}  // namespace

Extent extent_of(size_t width, size_t height, size_t depth, size_t pitch, size_t slice) {
  if (width == 0 || height == 0 || depth == 0) return {true, 0};
  size_t rows, slices, bytes;
  if (__builtin_mul_overflow(pitch, height - 1, &rows) || __builtin_mul_overflow(slice, depth - 1, &slices) ||
      __builtin_add_overflow(rows, slices, &bytes) || __builtin_add_overflow(bytes, width, &bytes))
    return {};
  return {true, bytes};
}

void copy_box(std::byte* dst, const std::byte* src, const device::CopyShape& wanted) {
  device::CopyShape shape = joined(wanted);
  if (shape.width == 0) return;
  if (shape.height == 1 && shape.depth == 1) {
    std::memmove(dst, src, shape.width);
    return;
  }
  uint64_t to = reinterpret_cast<uint64_t>(dst), from = reinterpret_cast<uint64_t>(src);
  size_t to_bytes = extent_of(shape.width, shape.height, shape.depth, shape.dst_pitch, shape.dst_slice).bytes;
  size_t from_bytes = extent_of(shape.width, shape.height, shape.depth, shape.src_pitch, shape.src_slice).bytes;
  if (to < from + from_bytes && from < to + to_bytes) {
    // Overlapping boxes: no order of rows is right for all pitches, so go through a buffer.
    std::vector<std::byte> buffer(shape.width * shape.height * shape.depth);
    std::byte* at = buffer.data();
    for_each_row(shape, [&](size_t, size_t s) { std::memcpy(at, src + s, shape.width), at += shape.width; });
    at = buffer.data();
    for_each_row(shape, [&](size_t d, size_t) { std::memcpy(dst + d, at, shape.width), at += shape.width; });
    return;
  }
  for_each_row(shape, [&](size_t d, size_t s) { std::memcpy(dst + d, src + s, shape.width); });
}

void fill_rows(std::byte* dst, uint32_t value, unsigned value_bytes, size_t width, size_t height, size_t pitch) {
  if (width == 0) return;
  if (height > 1 && pitch == width) {
    width *= height;
    height = 1;
  }
  for (size_t y = 0; y < height; ++y) {
    std::byte* row = dst + y * pitch;
    if (value == 0) {
      fill_with_zeros(row, width);
      continue;
    }
    if (value_bytes == 1) {
      std::memset(row, static_cast<int>(value & 0xff), width);
      continue;
    }
    for (size_t x = 0; x + value_bytes <= width; x += value_bytes) std::memcpy(row + x, &value, value_bytes);
  }
}

}  // namespace warpwise::exec
