// Loads and stores (PTX ISA 9.7.9.8 to 9.7.9.18).
//
// A vector access is its elements at consecutive addresses, each marked !ww.group !{index, count}: the
// passes may fuse a group into one wide access. Accesses are aligned to their whole size, as the manual
// demands (6.4.1); an address that is not is the program's error.
//
// .volatile, .relaxed and stronger accesses are LLVM atomics of the matching ordering, because that is what
// they are; weak ones are plain. A strong vector access is not its elements but one word of up to 64 bits, or several
// words, pairs of which are single-copy atomic (codegen/atomic_16_bytes.h).
#include "simt/lower/memory.h"

#include "simt/lower/dispatch.h"
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

using llvm::AtomicOrdering;
using ptx::Mod;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

struct Access {
  AtomicOrdering ordering = AtomicOrdering::NotAtomic;
  bool is_volatile = false;
  bool invariant = false;  // not written while the kernel runs
};

}  // namespace

llvm::SmallVector<Operand> elements_of(Emit& e, const Operand& operand) {
  if (operand.is(Operand::Kind::Vector)) return {operand.elements.begin(), operand.elements.end()};
  unsigned components = 1;
  if (operand.is(Operand::Kind::Register)) components = e.function().ptx.registers[operand.reg].vector;
  if (components == 1 || e.inst->vector_length() == 1) return {operand};
  llvm::SmallVector<Operand> parts(components, operand);
  for (unsigned k = 0; k < components; ++k) parts[k].component = k;
  return parts;
}

namespace {

// A float register moves as a float even when the instruction says .b32.
llvm::Type* moved_type(Emit& e, const Operand& operand, Type type) {
  if (operand.is(Operand::Kind::Register)) {
    llvm::Type* held = e.function().registers[operand.reg].type;
    if (held->isFloatingPointTy() && held->getPrimitiveSizeInBits() == ptx::bits_of(type)) return held;
  }
  return e.llvm_type(type);
}

// LLVM has no atomics of 128 bits that every host offers.
bool can_be_atomic(Type type) { return ptx::bits_of(type) <= 64; }

// The words that make up a vector access: its elements or, for a strong access that other threads may observe, as few
// words as possible.
struct Words {
  unsigned count, bytes;
  bool are_elements;
};
Words words_of(const Access& access, Space space, unsigned elements, unsigned bytes) {
  const bool seen = space == Space::Global || space == Space::Generic;
  if (access.ordering == AtomicOrdering::NotAtomic || !seen || elements == 1 || bytes > 8)
    return {elements, bytes, true};
  const unsigned word = std::min(8u, elements * bytes);
  return {elements * bytes / word, word, false};
}

void load(Emit& e, Space space, Access access) {
  llvm::SmallVector<Operand> to = elements_of(e, e.operand(0));
  Type type = e.type();
  unsigned count = to.size(), bytes = ptx::bytes_of(type);
  Place from = e.place(1, space);
  llvm::SmallVector<Value> values;
  const Words words = words_of(access, space, count, bytes);
  for (unsigned k = 0; k < words.count; ++k) {
    llvm::Align align(k == 0 ? bytes * count : words.bytes);
    llvm::Type* word = words.are_elements ? moved_type(e, to[k], type) : e.ir.getIntNTy(8 * words.bytes);
    auto* loaded = e.ir.CreateAlignedLoad(word, from.plus(k * words.bytes).pointer, align, access.is_volatile);
    if (can_be_atomic(type)) loaded->setOrdering(access.ordering);
    if (access.invariant) {
      loaded->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e.ir.getContext(), {}));
    }
    e.mark_group(loaded, k, words.count);
    if (words.are_elements) values.push_back(Value(e.ir, loaded));
    for (unsigned at = 0; !words.are_elements && at < words.bytes; at += bytes) {
      llvm::Value* bits = e.ir.CreateTrunc(e.ir.CreateLShr(loaded, 8 * at), e.ir.getIntNTy(8 * bytes));
      values.push_back(Value(e.ir, e.ir.CreateBitCast(bits, moved_type(e, to[values.size()], type))));
    }
  }
  // Written after all are read: {%r1, %r2} may name the address register.
  for (unsigned k = 0; k < count; ++k) e.out(to[k], values[k], ptx::is_signed(type));
}

void store(Emit& e, Space space, Access access) {
  llvm::SmallVector<Operand> from = elements_of(e, e.operand(1));
  Type type = e.type();
  unsigned count = from.size(), bytes = ptx::bytes_of(type);
  Place to = e.place(0u, space);
  const Words words = words_of(access, space, count, bytes);
  auto element = [&](unsigned k) {
    const Operand& operand = from[k];
    llvm::Type* held = moved_type(e, operand, type);
    Value value = held->isFloatTy()    ? e.in(operand, Type::F32)
                  : held->isDoubleTy() ? e.in(operand, Type::F64)
                  : held->isHalfTy()   ? e.in(operand, Type::F16)
                                       : e.in(operand, type);
    return e.escape(value).get();
  };
  for (unsigned k = 0; k < words.count; ++k) {
    llvm::Value* word = nullptr;
    if (words.are_elements) word = element(k);
    // An element that was never written may be any number, and the others stay as they are.
    for (unsigned at = 0; !words.are_elements && at < words.bytes; at += bytes) {
      llvm::Value* bits =
          e.ir.CreateBitCast(e.ir.CreateFreeze(element((k * words.bytes + at) / bytes)), e.ir.getIntNTy(8 * bytes));
      bits = e.ir.CreateShl(e.ir.CreateZExt(bits, e.ir.getIntNTy(8 * words.bytes)), 8 * at);
      word = word ? e.ir.CreateOr(word, bits) : bits;
    }
    llvm::Align align(k == 0 ? bytes * count : words.bytes);
    auto* stored = e.ir.CreateAlignedStore(word, to.plus(k * words.bytes).pointer, align, access.is_volatile);
    if (can_be_atomic(type)) stored->setOrdering(access.ordering);
    e.mark_group(stored, k, words.count);
  }
}

constexpr Access kWeak{};
constexpr Access kInvariant{AtomicOrdering::NotAtomic, false, true};
constexpr Access kVolatile{AtomicOrdering::Monotonic, true, false};

// A kernel's own parameters never change; what a callee returned through a .param variable does.
Access param_access(Emit& e) {
  const Operand& address = e.operand(1);
  bool own = address.base != Operand::Base::Symbol || address.symbol.kind == ptx::SymbolRef::Kind::Parameter;
  return e.function().ptx.is_entry && own ? kInvariant : kWeak;
}

}  // namespace

void lower_ld(Emit& e) { load(e, e.inst->space(), kWeak); }
void lower_ld_volatile(Emit& e) { load(e, e.inst->space(), kVolatile); }
void lower_ld_mmio(Emit& e) { load(e, e.inst->space(), kVolatile); }
void lower_ld_sem(Emit& e) {
  load(e, e.inst->space(), {e.has(Mod::Acquire) ? AtomicOrdering::Acquire : AtomicOrdering::Monotonic, false, false});
}
void lower_ld_nc(Emit& e) { load(e, Space::Global, kInvariant); }
void lower_ldu(Emit& e) { load(e, e.inst->space(), kInvariant); }
void lower_ld_const(Emit& e) { load(e, Space::Const, kInvariant); }
void lower_ld_param(Emit& e) { load(e, Space::Param, param_access(e)); }

void lower_st(Emit& e) { store(e, e.inst->space(), kWeak); }
void lower_st_volatile(Emit& e) { store(e, e.inst->space(), kVolatile); }
void lower_st_mmio(Emit& e) { store(e, e.inst->space(), kVolatile); }
void lower_st_sem(Emit& e) {
  store(e, e.inst->space(), {e.has(Mod::Release) ? AtomicOrdering::Release : AtomicOrdering::Monotonic, false, false});
}
// The store happens at once; then the mbarrier is updated.
void lower_st_async(Emit& e) {
  store(e, e.inst->space(), kWeak);
  e.complete_bytes(2, ptx::bytes_of(e.type()) * e.inst->vector_length());
}
// To global memory: there is no mbarrier to complete on, so the store happens at once.
void lower_st_async_global(Emit& e) { store(e, e.inst->space(), {AtomicOrdering::Release, e.has(Mod::Mmio), false}); }
// Zeros, as a loop of ordinary stores, which are checked and counted like others.
void lower_st_bulk(Emit& e) {
  Value size = e.in(1, Type::B64);
  auto* first = llvm::cast<llvm::IntToPtrInst>(e.place(0, e.inst->space()).pointer);
  llvm::BasicBlock *before = e.ir.GetInsertBlock(), *check = e.new_block("bulk"), *body = e.new_block("bulk.store"),
                   *done = e.new_block("bulk.done");
  e.ir.CreateBr(check);
  e.ir.SetInsertPoint(check);
  llvm::PHINode* at = e.ir.CreatePHI(e.ir.getInt64Ty(), 2);
  at->addIncoming(e.ir.getInt64(0), before);
  e.ir.CreateCondBr((Value(e.ir, at) < size).get(), body, done);
  e.ir.SetInsertPoint(body);
  llvm::Value* address = e.ir.CreateAdd(first->getOperand(0), at);
  e.ir.CreateAlignedStore(e.ir.getInt64(0), int_to_pointer(e.ir, address, first->getType()), llvm::Align(8));
  at->addIncoming(e.ir.CreateAdd(at, e.ir.getInt64(8)), body);
  e.ir.CreateBr(check);
  e.ir.SetInsertPoint(done);
}
void lower_st_param(Emit& e) { store(e, Space::Param, kWeak); }

// Hints about caches change no result.
void lower_prefetch(Emit&) {}
void lower_prefetch_evict(Emit&) {}
void lower_prefetchu(Emit&) {}
void lower_applypriority(Emit&) {}
void lower_discard(Emit&) {}

}  // namespace warpwise::simt
