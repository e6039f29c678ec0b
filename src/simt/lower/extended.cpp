// Extended-precision arithmetic (PTX ISA 9.7.2): the carry is in CC.CF, one bit per thread that no instruction names.
// It is an alloca like any register, so it becomes an SSA value.
//
// After a subtraction CC.CF says that nothing was borrowed: x - y is x + ~y + 1, and the flag is that sum's carry. The
// manual calls it "the borrow-out", which is the same as long as subc follows sub.cc and addc follows add.cc. nvcc's
// division of 128-bit integers has addc after subc.cc and needs the carry; an H200 provides it.
#include "simt/lower/dispatch.h"
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

using ptx::Mod;

namespace {

llvm::AllocaInst* carry_flag(Emit& e) {
  FunctionLowering& f = e.function();
  if (!f.carry) f.carry = f.entry_alloca(e.ir.getInt1Ty(), "%cc.cf");
  return f.carry;
}

Value carry_in(Emit& e) { return Value(e.ir, e.ir.CreateLoad(e.ir.getInt1Ty(), carry_flag(e))); }

void carry_out(Emit& e, Value carry) {
  llvm::AllocaInst* flag = carry_flag(e);
  if (auto guard = e.function().guard) carry = select(*guard, carry, carry_in(e));
  e.ir.CreateStore(carry.get(), flag);
}

// x + y + carry; the carry out of either addition (never of both).
void add(Emit& e, Value x, Value y, bool with_carry) {
  Value sum = x + y;
  Value carry = sum < x;
  if (with_carry) {
    Value in = zext(carry_in(e), x.bits());
    Value total = sum + in;
    carry = carry | (total < sum);
    sum = total;
  }
  e.d(sum);
  if (e.has(Mod::Cc)) carry_out(e, carry);
}

void subtract(Emit& e, bool with_carry) {
  Value x = e.a(), y = e.b();
  Value difference = x - y;
  Value borrow = x < y;
  if (with_carry) {
    Value in = zext(!carry_in(e), x.bits());
    borrow = borrow | (difference < in);
    difference = difference - in;
  }
  e.d(difference);
  if (e.has(Mod::Cc)) carry_out(e, !borrow);
}

Value product(Emit& e) {
  Value a = e.a(), b = e.b();
  if (!e.has(Mod::Hi)) return a * b;
  bool is_signed = ptx::is_signed(e.type());
  unsigned bits = a.bits();
  return trunc((extend(a, 2 * bits, is_signed) * extend(b, 2 * bits, is_signed)) >> bits, bits);
}

}  // namespace

void lower_add_cc(Emit& e) { add(e, e.a(), e.b(), false); }
void lower_addc(Emit& e) { add(e, e.a(), e.b(), true); }
void lower_sub_cc(Emit& e) { subtract(e, false); }
void lower_subc(Emit& e) { subtract(e, true); }
void lower_mad_cc(Emit& e) { add(e, product(e), e.c(), false); }
void lower_madc(Emit& e) { add(e, product(e), e.c(), true); }

}  // namespace warpwise::simt
