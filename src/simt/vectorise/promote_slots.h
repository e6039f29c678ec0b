// Turns slots, the stack variables that carry masks and phis from edge to node while a warp's control flow is emitted,
// into values.
//
//     level:   store zero, %x.mask           the slot of node x begins empty
//     edge:    %before = load %x.mask
//              store (or %before, mask)      each edge to x adds its lanes
//     x:       %mask = load %x.mask
//
// LLVM's PromoteMemToReg looks for each slot at all blocks below its first store, and a kernel has a slot for each
// `if`: 3,000 of them took 30 s. Here the first store of a slot is moved down to where the slot is used, and the search
// for what reaches a load goes no farther than that.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace warpwise::simt {

// A slot, which is loaded and stored as a whole and nothing else.
struct Slot {
  llvm::AllocaInst* variable;
  llvm::StoreInst* initial;  // the store at the start of its level, before all other uses of an iteration; null: none
};

// Erases the slots. `dominators` are those of their function, and stay right.
void promote_slots(llvm::ArrayRef<Slot> slots, llvm::DominatorTree& dominators);

}  // namespace warpwise::simt
