// Special registers (PTX ISA 10) as calls of the dialect.
#pragma once

#include "simt/lower/support/emit.h"

namespace warpwise::simt {

// The value of a special-register operand, 32 or 64 bits wide as the register is.
Value special_register(Emit& e, const ptx::Operand& operand);

}  // namespace warpwise::simt
