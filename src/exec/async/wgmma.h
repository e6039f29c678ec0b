// wgmma.mma_async: a warpgroup's product of matrices, from shared memory (PTX ISA 9.7.15).
//
// A warpgroup's four warps make 64 rows of d, 16 each, and no warp needs what another one makes: so this is the work of
// one warp. Its d has the fragment of mma's m16n8 for every eight columns, its a, when it lies in registers, the
// fragment of m16n8kK (numerics/product.h).
//
// Descriptors (9.7.15.5.1.2) name matrices in shared memory: an address, two distances and a swizzle. With rows of the
// matrix meaning rows of a and columns of b, and B the bytes that the swizzle spans (16 without one), element
// (row, k) lies at
//
//     k follows k        row % 8 * B + row / 8 * stride + bytes of k              (without swizzle: k / 16 bytes * leading)
//     row follows row    bytes of row % B + row / B * leading + k % 8 * B + k / 8 * stride
//                        (without swizzle: row / 8 * stride, k / 8 * leading)
//
// and then the chunks of 16 bytes change places as in bulk.h.
#pragma once

#include <cstdint>
#include <string>

#include "numerics/product.h"

namespace warpwise::exec {

struct WgmmaForm {
  uint16_t n = 8;
  numerics::Element a = numerics::Element::F16, b = numerics::Element::F16;
  numerics::Accumulator d = numerics::Accumulator::F32;
  bool a_in_registers = false;
  bool negate_a = false, negate_b = false;
  bool transpose_a = false, transpose_b = false;  // row follows row in shared memory
  bool saturate = false;

  uint64_t pack() const;
  static WgmmaForm unpack(uint64_t packed);

  unsigned k() const { return 256 / numerics::format_of(a).bits; }  // 32 bytes of it
  unsigned d_words() const { return d == numerics::Accumulator::F16 ? n / 4 : n / 2; }  // of a lane
  unsigned a_words() const { return a_in_registers ? 4 : 0; }
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

// Why it cannot be done: a mistake of the program; empty when it was.
std::string multiply_warpgroup(unsigned capability, const WgmmaForm& form, const WgmmaOperands& operands);

}  // namespace warpwise::exec
