// Matrices in shared memory as described by the descriptors of wgmma (PTX ISA 9.7.15.5.1.2) and tcgen05 (9.7.16.4.1);
// the diagram is in wgmma.h. The two encode the swizzle differently, and tcgen05 has one more swizzle: spans of 128
// bytes whose chunks of 32 bytes are permuted, where the pattern repeats after 4 rows and not after 8.
//
// A swizzle is a pattern of eight lines of 128 bytes (or four, or two), and begins at a multiple of its size. If it
// begins elsewhere, the base offset says at which of the eight lines. Whether hardware counts lines from there, as this
// code does, has not been confirmed on a GPU.
#pragma once

#include <cstdint>

namespace warpwise::numerics {

struct MatrixDescriptor {
  uint32_t address, leading, stride, base_offset;
  uint32_t span = 16, chunks = 0;       // bytes that a swizzle spans; number of permuted chunks in it
  uint32_t chunk_bit = 4, repeats = 8;  // log2 of their size; lines after which the pattern repeats

  // wgmma's.
  explicit MatrixDescriptor(uint64_t word) : MatrixDescriptor(word, Common{}) {
    constexpr uint32_t kSpans[] = {16, 128, 64, 32};
    span = kSpans[word >> 62];
    chunks = word >> 62 == 0 ? 0 : span / 16;
  }
  static MatrixDescriptor of_tcgen05(uint64_t word) {
    MatrixDescriptor d(word, Common{});
    switch (word >> 61) {
      case 1:
        d.span = 128, d.chunks = 4, d.chunk_bit = 5, d.repeats = 4;
        break;
      case 2:
        d.span = 128, d.chunks = 8;
        break;
      case 4:
        d.span = 64, d.chunks = 4;
        break;
      case 6:
        d.span = 32, d.chunks = 2;
        break;
      default:
        break;
    }
    return d;
  }
  bool swizzles() const { return chunks != 0; }
  // The manual's exclusions; null when none applies.
  const char* problem() const {
    return base_offset != 0 && !swizzles()
               ? "a matrix descriptor with a base offset has no swizzle, whose pattern that would move"
               : nullptr;
  }

  // The offset of element (row, k). Chunks of 16 bytes stay together.
  uint32_t place(bool transposed, uint32_t row, uint32_t k, uint32_t bytes) const {
    uint32_t at = address;
    if (!transposed) {
      const uint32_t along = k * bytes;
      at += row % 8 * span + row / 8 * stride + (swizzles() ? along : along / 16 * leading + along % 16);
    } else {
      const uint32_t along = row * bytes;
      at += swizzles() ? along % span + along / span * leading + k % repeats * span + k / repeats * stride
                       : along % 16 + along / 16 * stride + k % 8 * span + k / 8 * leading;
    }
    return swizzles() ? at ^ (((at >> 7) - base_offset) & (chunks - 1)) << chunk_bit : at;
  }

 private:
  struct Common {};  // what both have
  MatrixDescriptor(uint64_t word, Common)
      : address((word & 0x3fff) << 4),
        leading((word >> 16 & 0x3fff) << 4),
        stride((word >> 32 & 0x3fff) << 4),
        base_offset(word >> 49 & 7) {}
};

}  // namespace warpwise::numerics
