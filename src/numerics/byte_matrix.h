// Matrices of bytes that a warp moves between shared memory and its registers: ldmatrix of .m16n16 and .m8n16, stmatrix
// of .m16n8 (PTX ISA 9.7.14.5.15, 9.7.14.5.16).
//
// A lane names a row of 16 bytes in memory, lane r of a matrix row r. With g = lane / 4 and t = lane % 4, byte i of a
// register is
//
//     .m8n16          row g,                      element 4t + i                  a register for each 8 rows
//     .m16n16.trans   row 4t + i % 2 (+ 2),       element g + 8 (i / 2)           two for each 16 rows; the second: + 2
//     .m16n8.trans    row 2t + i % 2,             element g + 8 (i / 2)           a register for each 8 rows
//
// The last one is the fragment of sums of m16n8, a byte for each. The manual shows these as figures without the order
// of bytes. The order of the transposed ones comes from CUTLASS (Copy_Traits of SM100_U8x8_LDSM_T and
// SM100_U8x4_STSM_T, which give it for each bit) and has not been confirmed on a GPU.
//
// Elements of 6 and 4 bits lie packed at the start of their row, in 12 or 8 of its 16 bytes, and arrive in the low bits
// of a byte.
#pragma once

#include "numerics/fragments.h"

namespace warpwise::numerics {

enum class ByteMatrix : uint8_t { Load8x16, Load16x16Transposed, Store16x8Transposed };

// For byte `index` of register `reg`: the lane that names the row, and the element within it.
constexpr MatrixPlace byte_matrix_place(ByteMatrix shape, unsigned reg, unsigned index) {
  const unsigned odd = index % 2, upper = index / 2;
  switch (shape) {
    case ByteMatrix::Load8x16:
      return {{8 * reg, 1, 0}, {index, 0, 4}};
    case ByteMatrix::Load16x16Transposed:
      return {{reg / 2 * 16 + reg % 2 * 2 + odd, 0, 4}, {8 * upper, 1, 0}};
    case ByteMatrix::Store16x8Transposed:
      return {{8 * reg + odd, 0, 2}, {8 * upper, 1, 0}};
  }
  return {};
}

}  // namespace warpwise::numerics
