// Logic and shifts (PTX ISA 9.7.7).
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Type;

void lower_and_b(Emit& e) { e.d(e.a() & e.b()); }
void lower_or_b(Emit& e) { e.d(e.a() | e.b()); }
void lower_xor_b(Emit& e) { e.d(e.a() ^ e.b()); }
void lower_not_b(Emit& e) { e.d(~e.a()); }
void lower_cnot(Emit& e) {
  Value a = e.a();
  e.d(zext(a == 0, a.bits()));
}

namespace {

// The table's bit k is the result for the inputs (a, b, c) = the bits of k. It becomes a sum of products over the set
// bits, in which LLVM recognises vpternlog. Short forms keep the IR readable.
Value lookup(Value a, Value b, Value c, uint8_t table) {
  switch (table) {
    case 0x00:
      return a.like(0);
    case 0xff:
      return a.like(-1);
    case 0x80:
      return a & b & c;
    case 0xfe:
      return a | b | c;
    case 0x96:
      return a ^ b ^ c;
    case 0xe8:
      return (a & b) | (c & (a | b));
    case 0xca:
      return (a & b) | (~a & c);
  }
  // f(a, b, c) = a ? f1(b, c) : f0(b, c), and the same for b and c.
  auto of_c = [&](unsigned bits) {  // bits: result for c = 0, result for c = 1
    switch (bits & 3) {
      case 0:
        return a.like(0);
      case 1:
        return ~c;
      case 2:
        return c;
      default:
        return a.like(-1);
    }
  };
  auto of_bc = [&](unsigned bits) {
    unsigned low = bits & 3, high = (bits >> 2) & 3;
    if (low == high) return of_c(low);
    return (b & of_c(high)) | (~b & of_c(low));
  };
  unsigned low = table & 0xf, high = table >> 4;
  if (low == high) return of_bc(low);
  return (a & of_bc(high)) | (~a & of_bc(low));
}

Value lop3(Emit& e) {
  return lookup(e.in(1, Type::B32), e.in(2, Type::B32), e.in(3, Type::B32), static_cast<uint8_t>(e.operand(4).bits));
}

}  // namespace

void lower_lop3(Emit& e) { e.d(lop3(e)); }

// p = (d != 0) boolop q.
void lower_lop3_bool(Emit& e) {
  Value result = lop3(e), q = e.predicate(e.operand(5));
  Value p = e.has(Mod::Or) ? (result != 0) | q : (result != 0) & q;
  e.out(e.operand(0).elements[0], result);
  e.out(e.operand(0).elements[1], p);
}

namespace {

Value funnel(llvm::Intrinsic::ID id, Value high, Value low, Value amount) {
  return high.with(high.builder().CreateIntrinsic(id, {high.type()}, {high.get(), low.get(), amount.get()}));
}

}  // namespace

// The 64-bit number b:a shifted; .l gives the upper word, .r the lower (9.7.7.8). As one operation it is a rotation to
// LLVM where b is a, which hashes do all the time.
void lower_shf(Emit& e) {
  const Value a = e.a(), b = e.b(), c = e.c(Type::U32);
  const bool left = e.has(Mod::Left);
  Value shifted = funnel(left ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr, b, a, c);  // by c % 32
  e.d(e.has(Mod::Wrap) ? shifted : select(c < 32, shifted, left ? a : b));
}

// Amounts beyond the width shift everything out. LLVM says nothing of such shifts, and the choice leaves them out;
// processors with vectors shift by any amount, and then LLVM has them do it.
void lower_shl(Emit& e) {
  Value a = e.a(), n = e.b(Type::U32);
  unsigned bits = a.bits();
  e.d(select(n < bits, a << zext(n, bits), 0));
}

void lower_shr(Emit& e) {
  Value a = e.a(), n = e.b(Type::U32);
  unsigned bits = a.bits();
  if (ptx::is_signed(e.type())) return e.d(ashr(a, zext(umin(n, bits - 1), bits)));
  e.d(select(n < bits, a >> zext(n, bits), 0));
}

}  // namespace warpwise::simt
