// cp.async: copies of a thread from global to shared memory (PTX ISA 9.7.9.25.3).
//
// A copy may happen at any time between its issue and the wait for it. Here it happens at once, as a load and
// a store that the passes treat like any other, and nothing is left to wait for. (The interpreter copies as
// late as it may: a program that forgets to wait gets different answers.)
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

constexpr unsigned kWord = 4;

// `bytes` from one place to the other, or zeros when there is nothing to copy from.
void copy_words(Emit& e, Place to, const Place* from, unsigned bytes) {
  const unsigned count = bytes / kWord;
  llvm::SmallVector<llvm::Value*, 4> words(count, e.ir.getInt32(0));
  auto align = [&](unsigned k) { return llvm::Align(k == 0 ? bytes : kWord); };
  for (unsigned k = 0; from && k < count; ++k) {
    auto* load = e.ir.CreateAlignedLoad(e.ir.getInt32Ty(), from->plus(k * kWord).pointer, align(k));
    e.mark_group(load, k, count);
    words[k] = load;
  }
  for (unsigned k = 0; k < count; ++k) {
    auto* store = e.ir.CreateAlignedStore(words[k], to.plus(k * kWord).pointer, align(k));
    e.mark_group(store, k, count);
  }
}

// The same place, `bytes` further on.
Place moved(Emit& e, Place place, Value bytes) {
  Value address(e.ir, llvm::cast<llvm::IntToPtrInst>(place.pointer)->getOperand(0));
  return {&e.ir, int_to_pointer(e.ir, (address + bytes).get(), place.pointer->getType())};
}

// The first `size` bytes, one after the other.
void copy_bytes(Emit& e, Place to, Place from, Value size) {
  llvm::BasicBlock* before = e.ir.GetInsertBlock();
  llvm::BasicBlock *test = e.new_block("partial"), *body = e.new_block("byte"), *done = e.new_block("copied");
  e.ir.CreateBr(test);
  e.ir.SetInsertPoint(test);
  llvm::PHINode* index = e.ir.CreatePHI(e.ir.getInt64Ty(), 2);
  index->addIncoming(e.ir.getInt64(0), before);
  Value at(e.ir, index);
  e.ir.CreateCondBr(e.ir.CreateICmpULT(index, zext(size, 64).get()), body, done);
  e.ir.SetInsertPoint(body);
  llvm::Type* byte = e.ir.getInt8Ty();
  llvm::Value* value = e.ir.CreateAlignedLoad(byte, moved(e, from, at).pointer, llvm::Align(1));
  e.ir.CreateAlignedStore(value, moved(e, to, at).pointer, llvm::Align(1));
  index->addIncoming((at + 1).get(), body);
  e.ir.CreateBr(test);
  e.ir.SetInsertPoint(done);
}

}  // namespace

// [dst], [src], size {, bytes to read, or a predicate that says "none"}: bytes that are not read become zero.
void lower_cp_async(Emit& e) {
  Place to = e.place(0u, Space::Shared), from = e.place(1, Space::Global);
  const unsigned size = static_cast<unsigned>(e.operand(2).bits);
  const Operand& source = e.operand(3);
  if (source.is(Operand::Kind::None)) return copy_words(e, to, &from, size);
  bool ignore = source.is(Operand::Kind::Register) && e.register_type(source) == Type::Pred;
  Value read = ignore ? select(e.predicate(source), e.i32(0), e.i32(size)) : e.in(source, Type::U32);
  llvm::BasicBlock *whole = e.new_block("whole"), *part = e.new_block("part"), *next = e.new_block("next");
  e.ir.CreateCondBr(e.ir.CreateICmpUGE(read.get(), e.ir.getInt32(size)), whole, part);
  e.ir.SetInsertPoint(whole);
  copy_words(e, to, &from, size);
  e.ir.CreateBr(next);
  e.ir.SetInsertPoint(part);
  copy_words(e, to, nullptr, size);
  if (!ignore) copy_bytes(e, to, from, read);
  e.ir.CreateBr(next);
  e.ir.SetInsertPoint(next);
}

void lower_cp_async_commit_group(Emit&) {}
void lower_cp_async_wait_group(Emit&) {}
void lower_cp_async_wait_all(Emit&) {}

}  // namespace warpwise::simt
