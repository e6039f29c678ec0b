// The frame of a function and its calls: parameters in, returns out (control.cpp, calls.cpp).
#pragma once

#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

// Functions that the engine serves itself when a program only declares them: vprintf, malloc, free,
// __assertfail and what tells of signed overflow (ptx/signed_overflow.h).
bool is_service(const ptx::Function& function);

// At a function's entry: allocas for the .param variables it passes on, its own parameters where it can
// use them.
void bind_parameters(FunctionLowering& f);
// In the return block: .reg return values go where the caller wants them.
void finish_return(FunctionLowering& f);

// Arithmetic and moves: no memory, no other lane, no control flow. Under a guard these become selects.
bool is_pure(const ptx::Instruction& inst);

}  // namespace warpwise::simt
