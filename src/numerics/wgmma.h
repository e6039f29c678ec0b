// wgmma.mma_async: a warpgroup's product of matrices, from shared memory (PTX ISA 9.7.15).
//
// A warpgroup's four warps make 64 rows of d, 16 each, and no warp needs the results of another: so this is the work of
// one warp. Its registers, with g = lane / 4, t = lane % 4 and e elements in a register:
//
//     d    of 32 bits  register 4j + r:  row g + 8 (r / 2), column 8j + 2t + r % 2
//          of f16      register 2j + r:  row g + 8r, columns 8j + 2t and the next
//     a                register r, element i:  row g + 8 (r % 2), k = 4e (r / 2) + e t + i
//
// Descriptors (9.7.15.5.1.2) name matrices in shared memory: an address, two distances and a swizzle. With rows of the
// matrix meaning rows of a and columns of b, and B the bytes that the swizzle spans (16 without one), element (row, k)
// lies at
//
//     k follows k        row % 8 * B + row / 8 * stride + bytes of k
//                        (without swizzle: k / 16 bytes * leading)
//     row follows row    bytes of row % B + row / B * leading + k % 8 * B + k / 8 * stride
//                        (without swizzle: row / 8 * stride, k / 8 * leading)
//
// Then the chunks of 16 bytes within each span are permuted: bits 4 and up of their address are xor-ed with bits 7 and
// up, two, four or eight chunks at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "numerics/tensor_cores.h"

namespace warpwise::numerics {

enum class WgmmaSum : uint8_t { F16, F32, S32 };

struct WgmmaForm {
  uint16_t n = 8;
  Element a = Element::F16, b = Element::F16;
  WgmmaSum d = WgmmaSum::F32;
  bool a_in_registers = false;
  bool negate_a = false, negate_b = false;
  bool transpose_a = false, transpose_b = false;  // row follows row in shared memory
  bool saturate = false;
  bool sparse = false;   // a keeps half of each row; metadata says which half, as of mma.sp (fragments.h) ...
  uint8_t selector = 0;  // ... and this says which lanes supply it

  uint64_t pack() const;
  static WgmmaForm unpack(uint64_t packed);

  unsigned k() const { return kept() * (sparse ? 2 : 1); }
  unsigned kept() const { return 256 / format_of(a).bits; }  // stored elements of a row of a, which take 32 bytes
  unsigned d_words() const { return d == WgmmaSum::F16 ? n / 4 : n / 2; }           // of a lane
  unsigned a_words() const { return (a_in_registers ? 4 : 0) + (sparse ? 1 : 0); }  // the last one is the metadata
};

struct WgmmaOperands {
  const std::byte* shared = nullptr;  // where the block's shared memory begins
  uint32_t shared_bytes = 0;
  uint32_t warp = 0;                  // of its warpgroup: 0 to 3
  uint64_t a = 0, b = 0;              // descriptors
  bool accumulate = false;            // scale-d
  const uint32_t* a_words = nullptr;  // word w of lane l at [w * 32 + l]
  uint32_t* d = nullptr;              // the same, in and out
};

// The reason of a failure, which is a mistake of the program; empty on success.
std::string multiply_warpgroup(unsigned capability, const WgmmaForm& form, const WgmmaOperands& operands);

}  // namespace warpwise::numerics
