// The rows of a box of a tensor: how many there are, where each begins in the tensor, and where their bytes lie in
// shared memory (PTX ISA 5.5.3 to 5.5.7). A row is what lies side by side along the first dimension.
//
// A tiled box has a row for each index of the other dimensions. With im2col the rows are pixels: the first one stands
// at the copy's coordinates, the others follow along W in steps of the traversal stride, then along H and D, within a
// box of base pixels whose corners the map gives relative to the tensor's; behind that box comes the next image.
//
// The wide modes go along W alone: behind the box's right edge comes the same row of the next image (H and D stay as
// they are). Filters read a pixel's neighbours out of the same shared memory, some rows further on, so the last pixels
// of what is multiplied at once need some more, the halo: of im2col::w behind all pixels, of im2col::w::128, whose 128
// are multiplied in four parts, behind each 32.
//
//     im2col::w, 6 pixels, a halo of 2          p0 p1 p2 p3 p4 p5 | p6 p7
//     im2col::w::128, a halo of 2               p0 .. p31 | p32 p33    p32 .. p63 | p64 p65
//                                               p64 .. p95 | p96 p97   p96 .. p127 | p128 p129
//
// A halo is the pixels that come next, which behind the right edge are those of the next image. The manual shows that
// in drawings of runs that end within an image. Nothing has been compared with a GPU.
#pragma once

#include <algorithm>
#include <cstdint>

#include "exec/async/bulk.h"

namespace warpwise::exec {

constexpr uint32_t kWidePart = 32;  // pixels of im2col::w::128 between two halos

// How many rows a box has, and how wide they are. With a swizzle each fills the swizzle's span.
struct BoxShape {
  uint32_t row_bytes, pitch, rows;
  uint32_t count[device::kMaxTensorRank] = {1, 1, 1, 1, 1};  // elements along each dimension

  explicit BoxShape(const TensorCopy& copy) {
    const device::TensorMap& map = copy.map;
    if (device::is_im2col(map.mode)) {
      count[0] = map.channels;
      const uint32_t halos = map.mode == device::TensorMode::Im2colW128 ? device::kWidePixels / kWidePart : 1;
      rows = map.pixels + copy.halo * halos;
    } else {
      rows = 1;
      for (unsigned k = 0; k < map.rank; ++k) {
        count[k] = (map.box[k] + map.element_strides[k] - 1u) / map.element_strides[k];
        if (k > 0) rows *= count[k];
      }
      if (copy.four_rows) rows = static_cast<uint32_t>(std::size(copy.rows));
    }
    row_bytes = count[0] * device::bytes_of(map.type);
    pitch = std::max(row_bytes, device::span_of(map.swizzle));
  }
};

// Walks the rows of a box: where each begins in the tensor.
class Rows {
 public:
  Rows(const TensorCopy& copy, const BoxShape& shape) : copy_(copy), map_(copy.map), shape_(shape) {
    for (unsigned k = 0; k < map_.rank; ++k) at_[k] = copy.start[k];
  }
  // Whether the row lies within the tensor in all dimensions but the first; its address if so.
  bool inside(device::Address& address) const {
    int64_t sum = static_cast<int64_t>(map_.address);
    for (unsigned k = 1; k < map_.rank; ++k) {
      int64_t c = copy_.four_rows ? copy_.rows[row_] : at_[k];
      if (device::is_im2col(map_.mode) && k + 1 < map_.rank) c += copy_.offsets[k - 1];
      if (c < 0 || static_cast<uint64_t>(c) >= map_.size(k)) return false;
      sum += c * static_cast<int64_t>(map_.strides[k - 1]);
    }
    address = static_cast<device::Address>(sum);
    return true;
  }
  void next() {
    ++row_;
    if (device::is_im2col(map_.mode)) return next_pixel();
    if (copy_.four_rows) return;
    for (unsigned k = 1; k < map_.rank; ++k) {
      at_[k] += map_.element_strides[k];
      if (++index_[k] < shape_.count[k]) return;
      index_[k] = 0;
      at_[k] = copy_.start[k];
    }
  }

 private:
  // Along W, then H and D unless they are fixed, within the box of base pixels; then the next image.
  void next_pixel() {
    const unsigned last = map_.rank - 1u, behind = device::is_wide(map_.mode) ? 2 : last;
    unsigned k = 1;
    for (; k < behind; ++k) {
      at_[k] += map_.element_strides[k];
      if (at_[k] <= static_cast<int64_t>(map_.last[k]) + map_.upper[k - 1]) break;
      at_[k] = map_.lower[k - 1];
    }
    if (k == behind) at_[last] += 1;
    if (map_.mode == device::TensorMode::Im2colW128) return repeat_halo();
  }
  // The part behind a halo begins where the halo did.
  void repeat_halo() {
    const unsigned in_part = row_ % (kWidePart + copy_.halo), image = map_.rank - 1u;
    if (in_part == kWidePart || copy_.halo == 0) part_w_ = at_[1], part_image_ = at_[image];
    if (in_part == 0) at_[1] = part_w_, at_[image] = part_image_;
  }

  const TensorCopy& copy_;
  const device::TensorMap& map_;
  const BoxShape& shape_;
  int64_t at_[device::kMaxTensorRank] = {};
  uint32_t index_[device::kMaxTensorRank] = {};
  int64_t part_w_ = 0, part_image_ = 0;  // im2col::w::128: where the next part begins
  unsigned row_ = 0;
};

// Where a byte of shared memory lies instead: the chunks of a span change places, bits of the address that count them
// being xor-ed with bits 7 and up, which count lines of 128 bytes (5.5.7). The larger the atoms, the fewer chunks there
// are; with a flip the halves of 16 bytes change places, too, in every other line.
constexpr uint32_t kChunk = 16;
constexpr uint32_t swizzled(const device::TensorMap& map, uint32_t address) {
  const uint32_t line = address >> 7;
  if (map.atom == device::SwizzleAtom::Bytes16) {
    const uint32_t chunks = device::span_of(map.swizzle) / kChunk;
    return chunks == 0 ? address : address ^ (line & (chunks - 1)) << 4;
  }
  if (map.atom == device::SwizzleAtom::Bytes64) return address ^ (line & 1) << 6;
  const uint32_t flipped = map.atom == device::SwizzleAtom::Bytes32Flip8 ? (line & 1) << 3 : 0;
  return address ^ (line & 3) << 5 ^ flipped;
}
// How many bytes stay together.
constexpr uint32_t swizzled_piece(const device::TensorMap& map) {
  return map.atom == device::SwizzleAtom::Bytes32Flip8 ? kChunk / 2 : kChunk;
}

}  // namespace warpwise::exec
