// The frame of a function and its calls: parameters in, returns out (control.cpp, calls.cpp).
#pragma once

#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

// Functions that the engine provides when a program only declares them: vprintf, malloc, free, __assertfail and the
// handlers of signed overflow (ptx/signed_overflow.h).
bool is_service(const ptx::Function& function);

// At a function's entry: allocas for the .param variables it passes on, its own parameters where it can
// use them.
void bind_parameters(FunctionLowering& f);
// In the return block: .reg return values go to the places that the caller has passed.
void finish_return(FunctionLowering& f);

// Arithmetic and moves: no memory, no other lane, no control flow. Under a guard these become selects.
bool is_pure(const ptx::Instruction& inst);

}  // namespace warpwise::simt
