// tcgen05: decodes instructions into the operations of src/numerics (PTX ISA 9.0, 9.7.16).
#pragma once

#include <string>

#include "numerics/tcgen05_copy.h"
#include "numerics/tensor_move.h"
#include "ptx/module.h"

namespace warpwise::ptx {

bool is_tcgen05(Op op);
bool is_tcgen05_product(Op op);

// 1 or 2: .cta_group.
unsigned tcgen05_blocks(const Instruction& instruction);

// Whether a module works for pairs of blocks (.cta_group::2). Its programs compute with addresses in shared memory:
// they clear bit 24 of one to reach the even block of their pair. In such a module these addresses therefore are as on
// hardware, with the block's rank from that bit up and the offset below. In all other modules they are offsets, which
// costs nothing (simt/abi.h).
bool works_for_pairs(const Module& module);

// --- of instructions that the verifier has passed ---

numerics::TensorMove tensor_move(const Instruction& instruction);           // tcgen05.ld, tcgen05.st
numerics::TensorCopyForm tensor_copy_form(const Instruction& instruction);  // tcgen05.cp
numerics::Tcgen05Form tcgen05_form(const Instruction& instruction);         // a product

// The operands of a move: null where there is no second matrix.
struct TensorMoveOperands {
  const Operand *address = nullptr, *registers = nullptr, *split = nullptr;
};
TensorMoveOperands tensor_move_operands(const Instruction& instruction);

// The operands of a product; null where it has none.
struct Tcgen05ProductOperands {
  const Operand *d, *a, *b, *metadata, *descriptor, *scale_a, *scale_b;
  const Operand* disabled_lanes;  // a vector of 4 or 8
  const Operand* accumulate;      // enable-input-d
  const Operand* scale_input;     // scale-input-d, a constant
  const Operand* zero_columns;
};
Tcgen05ProductOperands tcgen05_product_operands(const Instruction& instruction);

// What is wrong with an instruction's operands and modifiers; empty when nothing is.
std::string check_tcgen05(const Instruction& instruction, const Function& function);

}  // namespace warpwise::ptx
