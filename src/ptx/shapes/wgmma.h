// wgmma.mma_async: decodes an instruction into the product that it computes (PTX ISA 9.7.15).
#pragma once

#include <string>

#include "numerics/wgmma.h"
#include "ptx/module.h"

namespace warpwise::ptx {

// Positions of the operands in a wgmma row. In a sparse one the metadata and its selector come between b and the rest.
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

// For an instruction that has passed the verifier.
numerics::WgmmaForm wgmma_form(const Instruction& instruction);

// What is wrong with the operands; empty: nothing.
std::string check_wgmma(const Instruction& instruction, const Function& function);

}  // namespace warpwise::ptx
