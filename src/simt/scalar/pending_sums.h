// Sums that a kernel's additions do not bring to memory at once, and where they must be there (Dialect::FlushSums).
//
// A relaxed addition whose old value is not used may happen at any time before its thread next orders memory (PTX ISA
// 8, "Memory Consistency Model": no causality without a fence or a barrier). Pending sums are flushed
//   - before fences, atomics that order, volatile accesses and services (ww.flush_sums), and
//   - before a plain access of a place that may have been added to, because each thread sees its own additions
//   (ww.flush_sums.at).
// A flush is inserted only where it can run after a sum: a kernel that ends with its sums has no such place.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace warpwise::simt {

// An addition to global memory that may be pending: relaxed, not of .sys scope, and its result is not used.
bool may_be_pending(const llvm::Instruction& i);
// Inserts the flushes that pending `sums` need. False, and nothing is inserted, where there would be so many that the
// kernel had better add at once.
bool insert_flushes(llvm::Function& kernel, llvm::ArrayRef<llvm::AtomicRMWInst*> sums);
// Removes them where the kernel runs in independent-thread mode after all. True when there were any.
bool forget_flushes(llvm::Function& kernel);

}  // namespace warpwise::simt
