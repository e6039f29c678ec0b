// From rows of the instruction table to the functions that execute them.
#pragma once

#include "exec/interpreter/step.h"

namespace warpwise::exec::interpreter {

// One function per Executed row, in the chapter's file: a missing one does not link. A Recognised row
// is diagnostic P0900 (program.cpp refuses kernels that hold one before they run).
#define WARPWISE_RUN_Executed(name) void run_##name(Step& s);
#define WARPWISE_RUN_Recognised(name)
#define INST(name, pattern, state, ...) WARPWISE_RUN_##state(name)
#include "ptx/isa/instructions.inc"
#undef INST
#undef WARPWISE_RUN_Executed
#undef WARPWISE_RUN_Recognised

// Executes s.inst.
void dispatch(Step& s);

}  // namespace warpwise::exec::interpreter
