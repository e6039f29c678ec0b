// What loads and stores move (memory.cpp).
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "simt/lower/support/emit.h"

namespace warpwise::simt {

// The operand's elements: those of {a, b}, the components of a vector register, or itself.
llvm::SmallVector<ptx::Operand> elements_of(Emit& e, const ptx::Operand& operand);

}  // namespace warpwise::simt
