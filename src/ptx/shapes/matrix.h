// The matrix products of a warp (wmma, mma, mma.sp): the product that an instruction computes, and the registers of its
// operands. The verifier, the interpreter and the compiler all use these functions.
#pragma once

#include <optional>
#include <string>

#include "numerics/byte_matrix.h"
#include "numerics/product.h"
#include "ptx/module.h"

namespace warpwise::ptx {

bool is_matrix_product(Op op);  // of these, not of wgmma or tcgen05

struct MatrixForm {
  numerics::Product product;
  // Registers of each operand as written in the instruction; wmma repeats those of a and b of f16 where a tile has
  // fewer.
  unsigned a_registers = 0, b_registers = 0, c_registers = 0, d_registers = 0;
  unsigned ptx_version = 0, sm = 0;
};

// Empty when the combination of shape and types does not exist; `why` then gives the reason.
std::optional<MatrixForm> matrix_form(const Instruction& instruction, std::string* why = nullptr);

// The fragment of wmma.load and wmma.store: which operand of which product.
struct FragmentForm {
  char operand = 'a';  // a, b, c or d
  bool by_column = false;
  numerics::Product product;  // any of the shape's
  unsigned registers = 0;     // of the operand, repeats included
  unsigned distinct = 0;      // ... without
  unsigned ptx_version = 0, sm = 0;
};
std::optional<FragmentForm> fragment_form(const Instruction& instruction, std::string* why = nullptr);

// ldmatrix and stmatrix: the rows of 16 bytes that lanes name, and the registers of a lane.
struct MovedMatrices {
  unsigned rows = 0, registers = 0;
  unsigned element_bits = 16;                    // in memory
  std::optional<numerics::ByteMatrix> of_bytes;  // nothing: 8 by 8 elements of 16 bits
};
std::optional<MovedMatrices> moved_matrices(const Instruction& instruction);

// Where the operands of scales begin: a's word, {byte, thread}, b's word, {byte, thread}.
unsigned scale_operand(const numerics::Product& product);

// The type of one register of operand 'a', 'b', 'c' or 'd'.
Type register_type(const numerics::Product& product, char operand);

}  // namespace warpwise::ptx
