// Vector constants of large functions as loads from the module's memory.
//
//     %y = fadd <32 x float> %x, <float 7.0, …>       →    %c = load <32 x float>, ptr @constant
//                                                          %y = fadd <32 x float> %x, %c
//
// LLVM 19 keeps a function's vector constants in a list and looks through all of it for each use
// (MachineConstantPool::getConstantPoolIndex). Two of one size and of different types, such as 16 floats and 8 numbers
// of 64 bits, are compared by folding both to one large number, which takes a microsecond. So the time grows with the
// square of the code: machine code for 1,500 guarded stores, each of another sum, took 8.5 s, and 5.1 s without that.
// A global variable is not looked for.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// Fewer constants than this are looked through in no time.
constexpr size_t kManyVectorConstants = 200;

// For functions of the quick tier, which choose no instructions by their constants. True when constants have moved.
bool keep_constants_in_memory(llvm::Function& function, size_t many = kManyVectorConstants);

}  // namespace warpwise::simt
