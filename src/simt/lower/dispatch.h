// From rows of the instruction table to lowering functions.
#pragma once

#include "simt/lower/support/emit.h"

namespace warpwise::simt {

// One function per Executed row, in the chapter's file: a missing one does not link. A Recognised row
// is diagnostic P0900.
#define WARPWISE_LOWER_Executed(name) void lower_##name(Emit& e);
#define WARPWISE_LOWER_Recognised(name)
#define INST(name, pattern, state, ...) WARPWISE_LOWER_##state(name)
#include "ptx/isa/instructions.inc"
#undef INST
#undef WARPWISE_LOWER_Executed
#undef WARPWISE_LOWER_Recognised

// Lowers e.inst.
void dispatch(Emit& e);

}  // namespace warpwise::simt
