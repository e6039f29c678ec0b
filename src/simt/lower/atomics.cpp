// Atomic operations (PTX ISA 9.7.13.6 atom, 9.7.13.7 red).
//
// LLVM's atomicrmw has nearly all of them. What it lacks (16-bit floats, also in pairs) is a loop around
// cmpxchg. red is atom without a result; it is marked !ww.red, because a reduction needs no order among
// lanes.
//
// Order: no .sem means relaxed. Scopes are not distinguished: every access here is as wide as .sys. Those that ask for
// .sys are marked !ww.sys, because the host may read the result at any time (scalar/privatise_sums.h).
//
// atom.add.f32 on global memory flushes subnormal inputs and results, on shared memory it does not (9.7.13.6); on
// hardware, the generic form behaves according to the address. The operand is flushed here; for the value in memory and
// the sum, the atomicrmw carries !ww.ftz and codegen/expand_atomics.h does the rest.
#include "simt/lower/dispatch.h"
#include "simt/lower/min_max.h"
#include "simt/lower/reduce.h"
#include "simt/lower/support/function_lowering.h"
#include "simt/lower/support/rounding.h"

namespace warpwise::simt {

using llvm::AtomicOrdering;
using ptx::Mod;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using Rmw = llvm::AtomicRMWInst::BinOp;

namespace {

// atom has a destination before the address, red has not.
struct Operands {
  Emit& e;
  bool is_red = e.opcode() == "red";
  unsigned address() const { return is_red ? 0 : 1; }
  unsigned b() const { return address() + 1; }
};

AtomicOrdering ordering_of(const Emit& e) {
  if (e.has(Mod::AcqRel)) return AtomicOrdering::AcquireRelease;
  if (e.has(Mod::Acquire)) return AtomicOrdering::Acquire;
  if (e.has(Mod::Release)) return AtomicOrdering::Release;
  return AtomicOrdering::Monotonic;
}

void mark(Emit& e, llvm::Instruction* inst, const char* kind) {
  inst->setMetadata(kind, llvm::MDNode::get(e.ir.getContext(), {}));
}

Value read_modify_write(Emit& e, Rmw operation, Place at, Value b) {
  llvm::Align align(b.bits() / 8);
  auto* rmw = e.ir.CreateAtomicRMW(operation, at.pointer, b.get(), align, ordering_of(e));
  // The copies of a multimem address have other addresses, too, so sums there are never privatised.
  const bool copies = e.opcode() == "multimem";
  if (e.opcode() == "red" || copies) mark(e, rmw, "ww.red");
  if (e.has(Mod::Sys) || copies) mark(e, rmw, "ww.sys");
  return Value(e.ir, rmw);
}

void write_old(Emit& e, Value old) {
  if (e.opcode() != "red") e.d(old);
}

// The plain case: operands in the instruction's type, one atomicrmw.
void integer(Emit& e, Rmw operation) {
  Operands at{e};
  write_old(e, read_modify_write(e, operation, e.place(at.address(), e.inst->space()), e.bits(e.in(at.b(), e.type()))));
}

Rmw logic(const Emit& e) { return e.has(Mod::And) ? Rmw::And : e.has(Mod::Or) ? Rmw::Or : Rmw::Xor; }
Rmw min_max_operation(const Emit& e) {
  bool is_signed = ptx::is_signed(e.type());
  if (e.has(Mod::Min)) return is_signed ? Rmw::Min : Rmw::UMin;
  return is_signed ? Rmw::Max : Rmw::UMax;
}

Value add_float(Emit& e, Place at, Value b) {
  Value old = read_modify_write(e, Rmw::FAdd, at, b);
  auto* rmw = llvm::cast<llvm::AtomicRMWInst>(old.get());
  rmw->setVolatile(true);  // otherwise LLVM turns the addition of a NaN into an exchange with that NaN's bits
  bool is_global = rmw->getOperand(0)->getType()->getPointerAddressSpace() == kGlobal;
  if (b.type()->isFloatTy() && is_global) mark(e, rmw, "ww.ftz");
  return old;
}

// On global memory the flushed operand: see above.
Value float_operand(Emit& e, Value b) { return e.inst->space() == Space::Global ? flush(b) : b; }

// old = *at; *at = f(old), by compare and exchange, in `bits` wide words.
template <class F>
Value update(Emit& e, Place at, unsigned bits, F f) {
  llvm::Type* type = e.ir.getIntNTy(bits);
  llvm::Align align(bits / 8);
  llvm::BasicBlock* before = e.ir.GetInsertBlock();
  auto* first = e.ir.CreateAlignedLoad(type, at.pointer, align);
  first->setOrdering(AtomicOrdering::Monotonic);
  llvm::BasicBlock* loop = e.new_block("update");
  llvm::BasicBlock* done = e.new_block("updated");
  e.ir.CreateBr(loop);
  e.ir.SetInsertPoint(loop);
  llvm::PHINode* expected = e.ir.CreatePHI(type, 2);
  expected->addIncoming(first, before);
  Value desired = f(Value(e.ir, expected));
  AtomicOrdering ordering = ordering_of(e);
  auto* exchange = e.ir.CreateAtomicCmpXchg(at.pointer, expected, desired.get(), align, ordering,
                                            llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering));
  Value seen(e.ir, e.ir.CreateExtractValue(exchange, 0));
  expected->addIncoming(seen.get(), e.ir.GetInsertBlock());
  e.ir.CreateCondBr(e.ir.CreateExtractValue(exchange, 1), done, loop);
  e.ir.SetInsertPoint(done);
  return seen;
}

// a op b on 16-bit floats held as bits: .add, .min, .max of f16 or bf16.
Value half_operation(Emit& e, Value a, Value b, bool is_bf16) {
  Value x = is_bf16 ? bf16_to_float(a) : to_float(half_of(a));
  Value y = is_bf16 ? bf16_to_float(b) : to_float(half_of(b));
  Value result = e.has(Mod::Add) ? x + y : min_max(e, x, y, e.has(Mod::Max));
  return is_bf16 ? round_bf16(result, Round::Nearest) : e.bits(to_half(result));
}

Value half_update(Emit& e, Place at, Value b) {
  Type type = e.type();
  bool is_bf16 = type == Type::BF16 || type == Type::BF16x2;
  return update(e, at, b.bits(), [&](Value old) {
    if (b.bits() == 16) return half_operation(e, old, b, is_bf16);
    Value low = half_operation(e, trunc(old, 16), trunc(b, 16), is_bf16);
    Value high = half_operation(e, trunc(old >> 16, 16), trunc(b >> 16, 16), is_bf16);
    return zext(low, 32) | (zext(high, 32) << 16);
  });
}

void half(Emit& e) {
  Operands at{e};
  Value b = e.bits(e.in(at.b(), e.type()));
  write_old(e, half_update(e, e.place(at.address(), e.inst->space()), b));
}

// Element by element: the manual promises only that each element is atomic (9.7.13.6).
template <class F>
void vector(Emit& e, F one) {
  Operands at{e};
  Place place = e.place(at.address(), Space::Global);
  const Operand& values = e.operand(at.b());
  unsigned bytes = ptx::bytes_of(e.type());
  llvm::SmallVector<Value> old;
  for (unsigned k = 0; k < values.elements.size(); ++k) {
    old.push_back(one(place.plus(k * bytes), e.in(values.elements[k], e.type())));
  }
  if (at.is_red) return;
  for (unsigned k = 0; k < old.size(); ++k) e.out(e.operand(0).elements[k], old[k]);
}

}  // namespace

void lower_atom_logic(Emit& e) { integer(e, logic(e)); }
void lower_atom_add_int(Emit& e) { integer(e, Rmw::Add); }
void lower_atom_min_max(Emit& e) { integer(e, min_max_operation(e)); }
void lower_atom_exch(Emit& e) { integer(e, Rmw::Xchg); }
// inc: old >= b ? 0 : old + 1. dec: old == 0 or old > b ? b : old - 1.
void lower_atom_inc_dec(Emit& e) { integer(e, e.has(Mod::Inc) ? Rmw::UIncWrap : Rmw::UDecWrap); }

void lower_atom_cas(Emit& e) {
  Value expected = e.bits(e.in(2, e.type())), desired = e.bits(e.in(3, e.type()));
  Place at = e.place(1, e.inst->space());
  AtomicOrdering ordering = ordering_of(e);
  llvm::Align align(expected.bits() / 8);
  auto* exchange = e.ir.CreateAtomicCmpXchg(at.pointer, expected.get(), desired.get(), align, ordering,
                                            llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(ordering));
  e.d(Value(e.ir, e.ir.CreateExtractValue(exchange, 0)));
}

void lower_atom_add_f32(Emit& e) {
  Operands at{e};
  write_old(e, add_float(e, e.place(at.address(), e.inst->space()), float_operand(e, e.in(at.b(), Type::F32))));
}
void lower_atom_add_f64(Emit& e) {
  Operands at{e};
  write_old(e, add_float(e, e.place(at.address(), e.inst->space()), e.in(at.b(), Type::F64)));
}
void lower_atom_add_f16(Emit& e) { half(e); }
void lower_atom_add_bf16(Emit& e) { half(e); }
void lower_atom_vec_f32(Emit& e) {
  vector(e, [&](Place at, Value b) { return add_float(e, at, float_operand(e, b)); });
}
void lower_atom_vec_half(Emit& e) {
  vector(e, [&](Place at, Value b) { return half_update(e, at, e.bits(b)); });
}

void reduce(Emit& e, Place at, Value b) {
  switch (e.type()) {
    case Type::F32:
      add_float(e, at, flush(b));
      return;
    case Type::F64:
      add_float(e, at, b);
      return;
    case Type::F16:
    case Type::F16x2:
    case Type::BF16:
    case Type::BF16x2:
      half_update(e, at, e.bits(b));
      return;
    default:
      break;
  }
  const bool adds = e.has(Mod::Add), orders = e.has(Mod::Min) || e.has(Mod::Max);
  read_modify_write(e, adds ? Rmw::Add : orders ? min_max_operation(e) : logic(e), at, e.bits(b));
}

void lower_red_logic(Emit& e) { lower_atom_logic(e); }
void lower_red_add_int(Emit& e) { lower_atom_add_int(e); }
void lower_red_inc_dec(Emit& e) { lower_atom_inc_dec(e); }
void lower_red_min_max(Emit& e) { lower_atom_min_max(e); }
void lower_red_add_f32(Emit& e) { lower_atom_add_f32(e); }
void lower_red_add_f64(Emit& e) { lower_atom_add_f64(e); }
void lower_red_add_f16(Emit& e) { half(e); }
void lower_red_add_bf16(Emit& e) { half(e); }
void lower_red_vec_f32(Emit& e) { lower_atom_vec_f32(e); }
void lower_red_vec_half(Emit& e) { lower_atom_vec_half(e); }

namespace {

// red.async: the update happens at once; then the mbarrier is updated.
void async(Emit& e, void (*update)(Emit&)) {
  update(e);
  e.complete_bytes(2, ptx::bytes_of(e.type()));
}

}  // namespace

// To global memory: there is no mbarrier to complete on.
void lower_red_async_global(Emit& e) { integer(e, Rmw::Add); }
void lower_red_async_inc_dec(Emit& e) { async(e, lower_atom_inc_dec); }
void lower_red_async_min_max(Emit& e) { async(e, lower_atom_min_max); }
void lower_red_async_logic(Emit& e) { async(e, lower_atom_logic); }
void lower_red_async_add(Emit& e) { async(e, lower_atom_add_int); }

}  // namespace warpwise::simt
