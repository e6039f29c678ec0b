// Marks of what code counts (simt/instrument/counts.h), made where PTX's instructions are lowered.
#pragma once

#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

// Instructions [first, end) are a basic block.
void count_block(FunctionLowering& f, uint32_t first, uint32_t end);
// What an instruction's guard lets through.
void count_guard(FunctionLowering& f, uint32_t instruction, Value guard);
// The memory that the instruction accesses, if it does; the builder stands where it does so.
void count_access(Emit& e, uint32_t instruction);
// What the instruction has written, or stores, where that is reported (ReportedValues).
void count_values(FunctionLowering& f, uint32_t instruction);

}  // namespace warpwise::simt
