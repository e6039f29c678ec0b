// wgmma.mma_async: from an instruction to the product it makes (PTX ISA 9.7.15).
#pragma once

#include <string>

#include "numerics/wgmma.h"
#include "ptx/module.h"

namespace warpwise::ptx {

// The operands of a wgmma row, by name; -1 where the row has none.
struct WgmmaOperand {
  static constexpr unsigned kD = 0, kA = 1, kB = 2, kScaleD = 3, kScaleA = 4, kScaleB = 5, kTransposeA = 6, kTransposeB = 7;
};

// Of an instruction that the verifier has passed.
numerics::WgmmaForm wgmma_form(const Instruction& instruction);

// What is wrong with the operands; empty: nothing.
std::string check_wgmma(const Instruction& instruction, const Function& function);

}  // namespace warpwise::ptx
