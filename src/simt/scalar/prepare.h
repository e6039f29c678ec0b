// Preparing a lowered module for the passes: one function in SSA, in the shape that they expect.
#pragma once

#include <llvm/IR/Module.h>

#include "base/result.h"

namespace warpwise::simt {

// Inlines every device function that can be (all that neither recurse nor are called through a
// pointer), turns `exit` inside them into the kernel's return, and drops what nobody calls.
void inline_functions(llvm::Module& module, llvm::Function& kernel);

// Functions that the kernel does not reach go: a call on a way that turns out to be nobody's has left them behind.
void drop_unreached(llvm::Module& module, llvm::Function& kernel);

// Registers become SSA; every operation of the program is still there.
void promote_registers(llvm::Function& function);

// Dead and repeated arithmetic goes. To LLVM x * 1 is x, to PTX a NaN that comes out of it is the canonical one: this
// comes after canonical_nan. `keep_places`: reads stay in the block that makes them, for code that watches itself.
void simplify_arithmetic(llvm::Function& function, bool keep_places);

// Every access gets its own inttoptr beside it, so that only integers cross blocks: addresses are
// arithmetic, and lane patterns are found in arithmetic.
void sink_pointers(llvm::Function& function);

// What ControlPlan and LaneShapes rely on: one return, no switch, no unreachable, reducible loops in
// LoopSimplify form, LCSSA.
void tidy_control_flow(llvm::Function& function);

// Whether the module still has calls of functions with a body (recursion, function pointers).
bool has_calls(const llvm::Function& kernel);

}  // namespace warpwise::simt
