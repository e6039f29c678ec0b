// Keeps apart, in builds for checkers, variables that were never set from those that were.
//
//     float v;
//     if (c) v = 1;
//     out[i] = v;
//
// An optimiser may give a variable without a value any value, so Clang makes `out[i] = 1` of this even where it
// optimises as little as it can, and nothing can be told of the PTX. The front end is therefore asked to fill variables
// without an initialiser (-ftrivial-auto-var-init=pattern). It marks these stores, and each is replaced here: what it
// stores becomes a register of PTX that nothing ever writes, which no optimiser sees through.
//
//     store float 0xFFFFFFFFE0000000, ptr %8, align 4, !dbg !17, !annotation !18
//
//     %undefined.0 = call i32 asm "{ .reg .b32 $$undefined_0; mov.b32 $0, $$undefined_0; }", "=r"(), !dbg !17
//     store i32 %undefined.0, ptr %8, align 4, !dbg !17
//
// The place of the marked store is that of the variable's name. Large objects stay in memory, where the shadow says
// what was written; their stores are removed.
//
// A pass in Clang could do the same on its own structures, but would have to be built for the very Clang that loads it.
// What is read here is text that LLVM 19 writes, one instruction a line.
#pragma once

#include <string>
#include <string_view>

namespace warpwise::toolchain {

// `code`: LLVM's text of the device half. The registers are called kUndefinedRegister and a number.
std::string keep_undefined_variables(std::string_view code);

}  // namespace warpwise::toolchain
