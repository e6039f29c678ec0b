// Strong vector accesses of 16 bytes are single-copy atomic.
//
//     ld.relaxed.gpu.v2.u64 {status, value}, [tile];        CUB's decoupled look-back
//
// The manual promises nothing about the elements of a vector together (PTX ISA 8.2.2). But hardware moves aligned 16
// bytes at once, and libraries rely on it: a status and the value that it describes lie side by side. The same must
// hold here, where another host thread may run the block that writes them. Lowering makes 64-bit accesses of such an
// access (lower/memory.cpp). Two adjacent ones are the halves of 16 bytes, and host code moves both with one
// instruction.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <utility>

namespace warpwise::simt {

// A load or store that is the first half of 16 bytes: the second, behind it in the same block. Otherwise null.
llvm::Instruction* second_half(llvm::Instruction& first);
// The other way round.
llvm::Instruction* first_half(llvm::Instruction& second);

// Both halves at a host address. On x86-64 processors with AVX, aligned accesses of 16 bytes are atomic (Intel SDM
// volume 3, 9.1.1; AMD APM volume 2, 7.3.2).
std::pair<llvm::Value*, llvm::Value*> load_whole(llvm::IRBuilderBase& b, llvm::Value* pointer);
void store_whole(llvm::IRBuilderBase& b, llvm::Value* first, llvm::Value* second, llvm::Value* pointer);

// What LLVM must not move across an access of this ordering. The processor keeps these orders by itself.
void fence_before(llvm::IRBuilderBase& b, llvm::AtomicOrdering ordering);
void fence_after(llvm::IRBuilderBase& b, llvm::AtomicOrdering ordering);

}  // namespace warpwise::simt
