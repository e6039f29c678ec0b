// tcgen05.cp and tcgen05.shift: rows of a matrix from shared memory to tensor memory, and rows of tensor memory one
// lane on (PTX ISA 9.7.16.9). Which lanes row r goes to, from the address on:
//
//     128x256b, 128x128b      r
//     64x128b  .warpx2::02_13 r and r + 64
//     64x128b  .warpx2::01_23 r % 32 + r / 32 * 64 and 32 further
//     32x128b  .warpx4        r, r + 32, r + 64 and r + 96
//     4x256b                  32 r: one lane of each warp, which tcgen05.shift has left free
//
// (CUTLASS, Copy_Traits of SM100_UTCCP_*.) The matrix is K-major, 16 or 32 bytes a row. With .b8x16.b6x16_p32
// (.b4x16_p64) each 16 bytes hold 16 elements of 6 (4) bits and padding, and become 16 bytes: 6 bits in the low ones, 4
// bits in the middle.
//
// The shift moves 8 columns of the 32 lanes from the address on: lane i gets what lane i + 1 has, and the last one
// stays as it is.
#pragma once

#include <span>
#include <string>

#include "numerics/tcgen05.h"

namespace warpwise::numerics {

enum class CopyShape : uint8_t { S128x256b, S4x256b, S128x128b, S64x128b_02_13, S64x128b_01_23, S32x128b };
enum class CopyFormat : uint8_t { Same, From6Bits, From4Bits };

struct TensorCopyForm {
  CopyShape shape = CopyShape::S128x256b;
  CopyFormat format = CopyFormat::Same;

  uint64_t pack() const { return uint64_t(shape) | uint64_t(format) << 8; }
  static TensorCopyForm unpack(uint64_t packed) {
    return {static_cast<CopyShape>(packed & 0xff), static_cast<CopyFormat>(packed >> 8 & 0xff)};
  }
};

// With .cta_group::2 each block copies from its own shared memory, and shifts its own tensor memory. Returns the reason
// of a failure, or an empty text.
std::string copy_to_tensor_memory(const TensorCopyForm& form, uint32_t address, uint64_t descriptor,
                                  std::span<const Tcgen05Block> blocks);
std::string shift_tensor_memory(uint32_t address, std::span<const Tcgen05Block> blocks);

}  // namespace warpwise::numerics
