// multimem (PTX ISA 9.7.9.14): one address, a copy of the bytes on each device of a multicast object.
//
// Only the engine knows where the copies are (ww.multimem), so an instruction is a loop over them,
//
//     at = ww.multimem(address, what, 0)            at least one, or the service ends the kernel
//     sum = load at
//     for (k = 1; (at = ww.multimem(address, what, k)); ++k) sum = sum + load at
//
// whose accesses are ordinary ones: instrumentation and the vectoriser handle them like all others. Copies come in the
// order of the devices; the manual leaves open in which order sums are made.
//
// Numbers of 16 and 8 bits are added in their type: rounded after each addition, those of 8 bits saturating as cvt
// does; .acc::f32 and .acc::f16 round to that type instead, and to the own one at the end.
#include "numerics/formats.h"
#include "simt/abi.h"
#include "simt/lower/dispatch.h"
#include "simt/lower/memory.h"
#include "simt/lower/min_max.h"
#include "simt/lower/reduce.h"
#include "simt/lower/support/narrow.h"
#include "simt/lower/support/rounding.h"

namespace warpwise::simt {

using llvm::AtomicOrdering;
using llvm::BasicBlock;
using numerics::Element;
using ptx::Mod;
using ptx::Operand;
using ptx::Type;

namespace {

using Values = llvm::SmallVector<Value>;

// Calls first(place) for one copy and next(place, carried) for each other. Both return the value to carry on; the last
// one is the result.
template <class First, class Next>
Values over_copies(Emit& e, unsigned operand, unsigned bytes, bool writes, First first, Next next) {
  Value address = e.generic_address(operand, e.inst->space()), what = e.i32(bytes | (writes ? kMultimemWrites : 0));
  auto place = [&](Value at) { return Place{&e.ir, int_to_pointer(e.ir, at.get(), e.ir.getPtrTy(kGlobal))}; };
  Values carried = first(place(e.call(Dialect::Multimem, address, what, e.i32(0))));
  BasicBlock *before = e.ir.GetInsertBlock(), *check = e.new_block("multimem"), *body = e.new_block("multimem.copy"),
             *done = e.new_block("multimem.done");
  e.ir.CreateBr(check);
  e.ir.SetInsertPoint(check);
  llvm::PHINode* index = e.ir.CreatePHI(e.ir.getInt32Ty(), 2);
  index->addIncoming(e.ir.getInt32(1), before);
  llvm::SmallVector<llvm::PHINode*> phis;
  for (Value& value : carried) {
    phis.push_back(e.ir.CreatePHI(value.type(), 2));
    phis.back()->addIncoming(value.get(), before);
    value = Value(e.ir, phis.back());
  }
  Value at = e.call(Dialect::Multimem, address, what, Value(e.ir, index));
  e.ir.CreateCondBr((at != 0).get(), body, done);
  e.ir.SetInsertPoint(body);
  const Values sums = next(place(at), carried);
  for (size_t k = 0; k < sums.size(); ++k) phis[k]->addIncoming(sums[k].get(), e.ir.GetInsertBlock());
  index->addIncoming(e.ir.CreateAdd(index, e.ir.getInt32(1)), e.ir.GetInsertBlock());
  e.ir.CreateBr(check);
  e.ir.SetInsertPoint(done);
  return carried;
}

AtomicOrdering ordering_of(const Emit& e) {
  if (e.has(Mod::Acquire)) return AtomicOrdering::Acquire;
  if (e.has(Mod::Release)) return AtomicOrdering::Release;
  return e.has(Mod::Relaxed) ? AtomicOrdering::Monotonic : AtomicOrdering::NotAtomic;
}

// --- numbers in a register -----------------------------------------------------------------------

// How a register of the instruction's type holds numbers, and what they are added up as: integers, or floats that are
// exact or have just been rounded.
struct Numbers {
  unsigned bits = 0;  // of each
  bool is_float = false;
  Element element = Element::F16;  // of 8 and 16 bits
};

Numbers numbers_of(Type type) {
  switch (type) {
    case Type::F16:
    case Type::F16x2:
      return {16, true, Element::F16};
    case Type::BF16:
    case Type::BF16x2:
      return {16, true, Element::BF16};
    case Type::E4M3:
    case Type::E4M3x2:
    case Type::E4M3x4:
      return {8, true, Element::E4M3};
    case Type::E5M2:
    case Type::E5M2x2:
    case Type::E5M2x4:
      return {8, true, Element::E5M2};
    default:
      return {ptx::bits_of(type), ptx::is_float(type)};
  }
}

Value read_number(Emit& e, const Numbers& n, Value bits) {
  if (!n.is_float) return bits;
  if (n.bits == 64) return double_of(bits);
  if (n.bits == 32) return float_of(bits);
  if (n.bits == 8) return to_float(half_of(trunc(half_of_narrow(e, zext(bits, 32), n.element), 16)));
  return n.element == Element::BF16 ? bf16_to_float(bits) : to_float(half_of(bits));
}

// A float in the numbers' format, as bits. min and max return a number of the format, infinities included.
Value write_number(Emit& e, const Numbers& n, Value number) {
  if (!n.is_float || n.bits >= 32) return e.bits(number);
  if (n.bits == 8) {
    const bool exact = n.element == Element::E5M2 && !e.has(Mod::Add);  // the upper half of a half
    return trunc(exact ? zext(e.bits(to_half(number)), 32) >> 8 : to_narrow(e, number, n.element), 8);
  }
  return n.element == Element::BF16 ? round_bf16(number, Round::Nearest) : e.bits(to_half(number));
}

Value combine(Emit& e, const Numbers& n, Value a, Value b) {
  if (n.is_float) {
    if (!e.has(Mod::Add)) return min_max(e, a, b, e.has(Mod::Max));
    Value sum = a + b;
    if (n.bits >= 32 || e.has(Mod::AccF32)) return sum;
    if (e.has(Mod::AccF16)) return to_float(to_half(sum));
    return read_number(e, n, write_number(e, n, sum));
  }
  if (e.has(Mod::Add)) return a + b;
  if (e.has(Mod::And)) return a & b;
  if (e.has(Mod::Or)) return a | b;
  if (e.has(Mod::Xor)) return a ^ b;
  const bool is_signed = ptx::is_signed(e.type());
  if (e.has(Mod::Min)) return is_signed ? smin(a, b) : umin(a, b);
  return is_signed ? smax(a, b) : umax(a, b);
}

// --- the three operations ------------------------------------------------------------------------

void ld_reduce(Emit& e) {
  const llvm::SmallVector<Operand> to = elements_of(e, e.operand(0));
  const Type type = e.type();
  const unsigned count = to.size(), bytes = ptx::bytes_of(type);
  const Numbers n = numbers_of(type);
  auto load = [&](Place from) {
    Values numbers;
    for (unsigned k = 0; k < count; ++k) {
      auto* loaded = e.ir.CreateAlignedLoad(e.ir.getIntNTy(8 * bytes), from.plus(k * bytes).pointer,
                                            llvm::Align(k == 0 ? bytes * count : bytes));
      loaded->setOrdering(ordering_of(e));
      e.mark_group(loaded, k, count);
      for (unsigned bit = 0; bit < 8 * bytes; bit += n.bits)
        numbers.push_back(read_number(e, n, trunc(Value(e.ir, loaded) >> bit, n.bits)));
    }
    return numbers;
  };
  const Values sums = over_copies(e, 1, bytes * count, false, load, [&](Place from, const Values& carried) {
    Values numbers = load(from);
    for (size_t k = 0; k < numbers.size(); ++k) numbers[k] = combine(e, n, carried[k], numbers[k]);
    return numbers;
  });
  const unsigned in_each = 8 * bytes / n.bits;
  for (unsigned k = 0; k < count; ++k) {
    Value bits = zext(write_number(e, n, sums[k * in_each]), 8 * bytes);
    for (unsigned part = 1; part < in_each; ++part)
      bits = bits | (zext(write_number(e, n, sums[k * in_each + part]), 8 * bytes) << part * n.bits);
    e.out(to[k], bits);
  }
}

// What is to be written, number by number of the instruction's type.
Values data(Emit& e, const llvm::SmallVector<Operand>& from) {
  Values values;
  for (const Operand& operand : from) values.push_back(e.in(operand, e.type()));
  return values;
}

void st(Emit& e) {
  const Values values = data(e, elements_of(e, e.operand(1)));
  const unsigned count = values.size(), bytes = ptx::bytes_of(e.type());
  Values bits;
  for (Value value : values) bits.push_back(e.bits(value));
  auto store = [&](Place to) {
    for (unsigned k = 0; k < count; ++k) {
      auto* stored = e.ir.CreateAlignedStore(bits[k].get(), to.plus(k * bytes).pointer,
                                             llvm::Align(k == 0 ? bytes * count : bytes));
      stored->setOrdering(ordering_of(e));
      e.mark_group(stored, k, count);
    }
    return Values();
  };
  over_copies(e, 0, bytes * count, true, store, [&](Place to, const Values&) { return store(to); });
}

// Element by element, as the manual promises atomicity of red.
void red(Emit& e) {
  const Values values = data(e, elements_of(e, e.operand(1)));
  const unsigned bytes = ptx::bytes_of(e.type());
  auto each = [&](Place at) {
    for (unsigned k = 0; k < values.size(); ++k) reduce(e, at.plus(k * bytes), values[k]);
    return Values();
  };
  over_copies(e, 0, bytes * values.size(), true, each, [&](Place at, const Values&) { return each(at); });
}

}  // namespace

void lower_multimem_ld_reduce_logic(Emit& e) { ld_reduce(e); }
void lower_multimem_ld_reduce_add(Emit& e) { ld_reduce(e); }
void lower_multimem_ld_reduce_min_max(Emit& e) { ld_reduce(e); }
void lower_multimem_ld_reduce_f32(Emit& e) { ld_reduce(e); }
void lower_multimem_ld_reduce_f64(Emit& e) { ld_reduce(e); }
void lower_multimem_ld_reduce_half(Emit& e) { ld_reduce(e); }
void lower_multimem_ld_reduce_f8(Emit& e) { ld_reduce(e); }
void lower_multimem_st(Emit& e) { st(e); }
void lower_multimem_st_vec(Emit& e) { st(e); }
void lower_multimem_st_f8(Emit& e) { st(e); }
void lower_multimem_red_logic(Emit& e) { red(e); }
void lower_multimem_red_add(Emit& e) { red(e); }
void lower_multimem_red_min_max(Emit& e) { red(e); }
void lower_multimem_red_f32(Emit& e) { red(e); }
void lower_multimem_red_f64(Emit& e) { red(e); }
void lower_multimem_red_half(Emit& e) { red(e); }

}  // namespace warpwise::simt
