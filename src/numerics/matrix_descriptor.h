// Matrices in shared memory as wgmma's descriptors name them (PTX ISA 9.7.15.5.1.2); wgmma.h has the picture.
#pragma once

#include <cstdint>

namespace warpwise::numerics {

struct MatrixDescriptor {
  uint32_t address, leading, stride, base_offset, span, chunks;

  explicit MatrixDescriptor(uint64_t word)
      : address((word & 0x3fff) << 4), leading((word >> 16 & 0x3fff) << 4), stride((word >> 32 & 0x3fff) << 4), base_offset(word >> 49 & 7) {
    constexpr uint32_t kSpans[] = {16, 128, 64, 32};
    span = kSpans[word >> 62];
    chunks = word >> 62 == 0 ? 0 : span / 16;
  }
  bool swizzles() const { return chunks != 0; }

  // Where element (row, k) begins. Chunks of 16 bytes stay together.
  uint32_t place(bool transposed, uint32_t row, uint32_t k, uint32_t bytes) const {
    uint32_t at = address;
    if (!transposed) {
      const uint32_t along = k * bytes;
      at += row % 8 * span + row / 8 * stride + (swizzles() ? along : along / 16 * leading + along % 16);
    } else {
      const uint32_t along = row * bytes;
      at += swizzles() ? along % span + along / span * leading + k % 8 * span + k / 8 * stride
                       : along % 16 + along / 16 * stride + k % 8 * span + k / 8 * leading;
    }
    return swizzles() ? at ^ (at >> 7 & (chunks - 1)) << 4 : at;
  }
};

}  // namespace warpwise::numerics
