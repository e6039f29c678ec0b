// tcgen05.mma: the product of the fifth generation of tensor cores, d = a * b + d (PTX ISA 9.7.16.10). d lies in tensor
// memory, b in shared memory, a in either. With .cta_group::2 two blocks make one product: each has half of a's rows
// and half of b's columns in its shared memory, and gets the sums of its rows.
//
// Where the sums of a block's rows lie, from d's lane and column on (9.7.16.10.5, with N columns of d):
//
//     rows             lane of row r                   columns
//     128              r                               all                                        layouts A, D
//      64, not .ws     16 of each 32: r % 16 + r / 16 * 32   all (also .cta_group::2, sparse)     layouts F, C
//      64, else        r + 64 h                        half h of the N columns                    layouts E (.ws), B
//      (two blocks) 32, .ws         r + 32 q                        quarter q of the N columns                 layout G
//
// An element of d fills a cell, whatever its size. Where a lies in tensor memory each lane multiplies by the row of a
// in its own lane: where d's columns are split, a has to be there as often. Scales are read in a lane's own 32 lanes,
// too (9.7.16.10.7): scale j of row or column i, counted within its part, lies in lane i % 32, column i / 32, byte `id`
// + j.
//
// Sparse a (9.7.16.10.8) has half its elements in memory; four bits of metadata say for each two (of tf32: for each
// one) which of four (two) they are, in the manual's pictures and, as formulas, in CUTLASS's tmem_e_frg: for elements
// of 8 bits and fewer row r's bits are lane r's, in two columns; for others the bits of the first half of k of row r
// lie in lane r % 8 + r / 16 * 16, those of the second half 8 lanes further, and bit 3 of r says which half of the
// word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "numerics/multiply_fast.h"
#include "numerics/tensor_memory.h"

namespace warpwise::numerics {

enum class Tcgen05Kind : uint8_t { F16, Tf32, F8F6F4, I8, MxF8F6F4, MxF4, MxF4NvF4 };

// What the modifiers of an instruction say.
struct Tcgen05Form {
  Tcgen05Kind kind = Tcgen05Kind::F16;
  uint8_t blocks = 1;  // .cta_group
  bool weight_stationary = false, sparse = false;
  bool a_in_tensor_memory = false;
  bool shifts_a = false;    // .ashift
  uint8_t scales = 0;       // .scale_vec: of each row and column; 0: no .block_scale
  uint8_t scale_input = 0;  // scale-input-d: d counts 2 to the minus that

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

// A block that takes part: the even one of a pair first.
struct Tcgen05Block {
  const std::byte* shared = nullptr;
  uint32_t shared_bytes = 0;
  TensorMemory* memory = nullptr;
};

// Why it cannot be done: a mistake of the program; empty when it was. The plain form, one dot product after the other,
// is what the fast one must agree with.
std::string multiply_tcgen05(unsigned capability, const Tcgen05Form& form, const Tcgen05Operands& operands,
                             std::span<const Tcgen05Block> blocks);
std::string multiply_tcgen05_fast(unsigned capability, Fidelity fidelity, const Tcgen05Form& form,
                                  const Tcgen05Operands& operands, std::span<const Tcgen05Block> blocks);

}  // namespace warpwise::numerics
