// tcgen05.mma: the product of the fifth generation of tensor cores, d = a * b + d (PTX ISA 9.7.16.10). d lies in tensor
// memory, b in shared memory, a in either. With .cta_group::2 two blocks compute one product: each has half of a's rows
// and half of b's columns in its shared memory, and receives the sums of its rows.
//
// The place of the sums of a block's rows, counted from d's lane and column (9.7.16.10.5, with N columns of d):
//
//     rows                  lane of row r            columns
//     128                   r                        all                          layouts A, D
//      64, not .ws          16 of each 32:           all (also .cta_group::2,     layouts F, C
//                           r % 16 + r / 16 * 32     sparse)
//      64, else             r + 64 h                 half h of the N columns      layouts E (.ws), B (two blocks)
//      32, .ws              r + 32 q                 quarter q of the N columns   layout G
//
// An element of d fills a cell, whatever its size. Where a lies in tensor memory each lane multiplies by the row of a
// in its own lane: where d's columns are split, a must be stored once for each part. Scales are also read in a lane's
// own 32 lanes (9.7.16.10.7): scale j of row or column i, counted within its part, lies in lane i % 32, column i / 32,
// byte `id` + j.
//
// Sparse a (9.7.16.10.8) has half its elements in memory. Four bits of metadata for each two elements (for tf32: for
// each one) say which of four (two) they are, as the manual's figures show and the formulas of CUTLASS's tmem_e_frg
// state. For elements of 8 bits and fewer the bits of row r are in lane r, in two columns. For others the bits of the
// first half of k of row r lie in lane r % 8 + r / 16 * 16, those of the second half 8 lanes further, and bit 3 of r
// selects the half of the word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "numerics/multiply_fast.h"
#include "numerics/tensor_memory.h"

namespace warpwise::numerics {

enum class Tcgen05Kind : uint8_t { F16, Tf32, F8F6F4, I8, MxF8F6F4, MxF4, MxF4NvF4 };

// The modifiers of an instruction.
struct Tcgen05Form {
  Tcgen05Kind kind = Tcgen05Kind::F16;
  uint8_t blocks = 1;  // .cta_group
  bool weight_stationary = false, sparse = false;
  bool a_in_tensor_memory = false;
  bool shifts_a = false;    // .ashift
  uint8_t scales = 0;       // .scale_vec: of each row and column; 0: no .block_scale
  uint8_t scale_input = 0;  // scale-input-d: d is multiplied by 2 to the minus this

  uint64_t pack() const;
  static Tcgen05Form unpack(uint64_t packed);
};

struct Tcgen05Operands {
  uint32_t d = 0, descriptor = 0;  // the instruction descriptor: shape and types
  uint64_t a = 0, b = 0;           // descriptors of matrices; a's address in tensor memory
  uint32_t metadata = 0, scale_a = 0, scale_b = 0;
  bool accumulate = false;          // enable-input-d
  uint64_t zero_columns = 0;        // the zero-column mask descriptor
  uint32_t disabled_lanes[8] = {};  // disable-output-lane: 128 bits for each block
};

// A participating block: the even one of a pair first.
struct Tcgen05Block {
  const std::byte* shared = nullptr;
  uint32_t shared_bytes = 0;
  TensorMemory* memory = nullptr;
};

// The reason of a failure, which is a mistake of the program; empty on success. This is the plain form, one dot product
// after the other, with which the fast one must agree.
std::string multiply_tcgen05(unsigned capability, const Tcgen05Form& form, const Tcgen05Operands& operands,
                             std::span<const Tcgen05Block> blocks);
std::string multiply_tcgen05_fast(unsigned capability, Fidelity fidelity, const Tcgen05Form& form,
                                  const Tcgen05Operands& operands, std::span<const Tcgen05Block> blocks);

}  // namespace warpwise::numerics
