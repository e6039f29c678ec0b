// Strong vector accesses of 16 bytes happen in one piece.
//
//     ld.relaxed.gpu.v2.u64 {status, value}, [tile];        CUB's decoupled look-back
//
// The manual promises nothing of a vector's elements together (PTX ISA 8.2.2), but hardware moves aligned 16 bytes at
// once, and libraries build on that: a status and the value that it speaks of lie side by side. So must they for us,
// where another host thread runs the block that writes them. Lowering makes words of 64 bits of such an access
// (lower/memory.cpp); two neighbours of them are the halves of 16 bytes, and whoever makes host code of them moves both
// with one instruction.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <utility>

namespace warpwise::simt {

// A load or store that is the first half of 16 bytes: the second, behind it in the same block. Otherwise null.
llvm::Instruction* second_half(llvm::Instruction& first);
// The other way round.
llvm::Instruction* first_half(llvm::Instruction& second);

// Both halves at a host address. x86-64 processors with AVX move aligned 16 bytes in one piece (Intel SDM volume
// 3, 9.1.1; AMD APM volume 2, 7.3.2).
std::pair<llvm::Value*, llvm::Value*> load_whole(llvm::IRBuilderBase& b, llvm::Value* pointer);
void store_whole(llvm::IRBuilderBase& b, llvm::Value* first, llvm::Value* second, llvm::Value* pointer);

// What LLVM must not move across an access of this ordering. The processor keeps these orders by itself.
void fence_before(llvm::IRBuilderBase& b, llvm::AtomicOrdering ordering);
void fence_after(llvm::IRBuilderBase& b, llvm::AtomicOrdering ordering);

}  // namespace warpwise::simt
