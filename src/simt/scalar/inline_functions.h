// From a module of a kernel and its device functions to one function, where that is possible: the passes that vectorise
// know no calls.
//
// Functions that recurse, or that are called through a pointer, stay; such a kernel runs in independent-thread mode. So
// do functions of a kernel that inlining would make too large. Each level of a tree of calls can multiply its size:
//
//     mul 30 instructions ── square: mul, mul, mul ── power: square × 4 ── round: power × 12 ── hash: round × 14
//
// Twenty-four instructions that call `hash` would become 60,000, and a level more half a million.
#pragma once

#include <llvm/IR/Module.h>

#include <cstddef>
#include <functional>

namespace warpwise::simt {

// The size of a function without those that it calls. Instructions of PTX, so that checks and counters do not decide
// what is inlined.
using FunctionSize = std::function<size_t(const llvm::Function&)>;
// The most that a kernel may become in which no call is left, and a function of one in which some are.
inline constexpr size_t kMostInlined = 40'000, kMostBesideCalls = 1'000;

// Inlines every call of a device function that can be inlined, makes `exit` inside the inlined code a return from the
// kernel, and deletes the functions that the kernel no longer reaches.
void inline_functions(llvm::Module& module, llvm::Function& kernel, const FunctionSize& size_of);

// Deletes the functions that the kernel does not reach. Later passes leave more of them: a call on a path that turns
// out never to be taken goes away, and what it called stays behind.
void drop_unreached(llvm::Module& module, llvm::Function& kernel);

// Whether the kernel calls functions with a body, directly or through a pointer.
bool has_calls(const llvm::Function& kernel);

}  // namespace warpwise::simt
