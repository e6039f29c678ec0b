// wgmma.mma_async: from an instruction to the product it makes (PTX ISA 9.7.15).
#pragma once

#include <string>

#include "numerics/wgmma.h"
#include "ptx/module.h"

namespace warpwise::ptx {

// Where the operands of a wgmma row stand. In a sparse one the metadata and its selector come between b and the rest.
struct WgmmaOperand {
  static constexpr unsigned kD = 0, kA = 1, kB = 2, kMetadata = 3, kSelector = 4;
  unsigned scale_d, scale_a, scale_b, transpose_a, transpose_b;
  explicit WgmmaOperand(const Instruction& instruction)
      : scale_d(instruction.has(Mod::Sp) ? 5 : 3),
        scale_a(scale_d + 1),
        scale_b(scale_d + 2),
        transpose_a(scale_d + 3),
        transpose_b(scale_d + 4) {}
};

// Of an instruction that the verifier has passed.
numerics::WgmmaForm wgmma_form(const Instruction& instruction);

// What is wrong with the operands; empty: nothing.
std::string check_wgmma(const Instruction& instruction, const Function& function);

}  // namespace warpwise::ptx
