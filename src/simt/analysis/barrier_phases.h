// The phases of a kernel: what a thread may execute between two barriers at which its block waits.
//
//     entry ─► load, store ─► barrier ─► load ─┬─► barrier ─► …
//                                              └─► end
//
// A phase begins at the entry or behind a barrier, and has what is reached from there without crossing another one. An
// instruction may be in several phases.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace warpwise::simt {

// Whether a thread goes on behind this instruction when others of its block have come to it, too.
bool waits_for_block(const llvm::Instruction& i);

// Calls `take` for each phase with the barrier behind which it begins, null: the entry, and with those of its
// instructions that are `wanted`, in the order of the program text as far as it goes.
void for_each_phase(llvm::Function& kernel, llvm::function_ref<bool(const llvm::Instruction&)> wanted,
                    llvm::function_ref<void(const llvm::Instruction*, llvm::ArrayRef<llvm::Instruction*>)> take);

}  // namespace warpwise::simt
