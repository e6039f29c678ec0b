// Integer arithmetic (PTX ISA 9.7.1).
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Type;

namespace {

bool is_signed(const Emit& e) { return ptx::is_signed(e.type()); }

Value lowest(Value like) { return like.like(1) << (like.bits() - 1); }

Value min_of(Value a, Value b, bool is_signed) { return is_signed ? smin(a, b) : umin(a, b); }
Value max_of(Value a, Value b, bool is_signed) { return is_signed ? smax(a, b) : umax(a, b); }

// Applies `f` to the two 16-bit halves of 32-bit words.
template <class F, class... Words>
Value halves(F f, Words... words) {
  Value low = f(trunc(words, 16)...);
  Value high = f(trunc(words >> 16, 16)...);
  return zext(low, 32) | (zext(high, 32) << 16);
}

Value add_saturating(Value a, Value b) { return binary(llvm::Intrinsic::sadd_sat, a, b); }

struct Wide {
  Value low, high;
};

// The double-width product in two halves.
Wide product(Value a, Value b, bool is_signed) {
  unsigned bits = a.bits();
  Value p = extend(a, 2 * bits, is_signed) * extend(b, 2 * bits, is_signed);
  return {trunc(p, bits), trunc(p >> bits, bits)};
}

Value multiply(Emit& e) {
  Value a = e.a(), b = e.b();
  return e.has(Mod::Hi) ? product(a, b, is_signed(e)).high : a * b;
}

Value multiply_wide(Emit& e) {
  Value a = e.a(), b = e.b();
  return extend(a, 2 * a.bits(), is_signed(e)) * extend(b, 2 * b.bits(), is_signed(e));
}

Type doubled(Type type) {
  switch (type) {
    case Type::U16:
      return Type::U32;
    case Type::S16:
      return Type::S32;
    case Type::U32:
      return Type::U64;
    default:
      return Type::S64;
  }
}

// The 48-bit product of the low 24 bits: its low 32 bits, or bits 16 to 47 for .hi.
Value multiply24(Emit& e) {
  auto low24 = [&](Value v) {
    Value wide = zext(v, 64) << 40;
    return is_signed(e) ? ashr(wide, 40) : wide >> 40;
  };
  Value p = low24(e.a()) * low24(e.b());
  return trunc(e.has(Mod::Hi) ? p >> 16 : p, 32);
}

}  // namespace

void lower_add_int(Emit& e) { e.d(e.a() + e.b()); }
void lower_add_sat(Emit& e) { e.d(add_saturating(e.a(), e.b())); }
void lower_add_int_x2(Emit& e) {
  e.d(halves([](Value a, Value b) { return a + b; }, e.a(), e.b()));
}

void lower_sub_int(Emit& e) { e.d(e.a() - e.b()); }
void lower_sub_sat(Emit& e) { e.d(binary(llvm::Intrinsic::ssub_sat, e.a(), e.b())); }

void lower_mul_int(Emit& e) { e.d(multiply(e)); }
void lower_mul_wide(Emit& e) { e.d(multiply_wide(e)); }
void lower_mad_int(Emit& e) { e.d(multiply(e) + e.c()); }
void lower_mad_wide(Emit& e) { e.d(multiply_wide(e) + e.c(doubled(e.type()))); }
void lower_mad_sat(Emit& e) { e.d(add_saturating(multiply(e), e.c())); }

void lower_mul24(Emit& e) { e.d(multiply24(e)); }
void lower_mad24(Emit& e) { e.d(multiply24(e) + e.c()); }
void lower_mad24_sat(Emit& e) { e.d(add_saturating(multiply24(e), e.c())); }

void lower_sad(Emit& e) {
  Value a = e.a(), b = e.b();
  e.d(e.c() + (max_of(a, b, is_signed(e)) - min_of(a, b, is_signed(e))));
}

namespace {

// Quotient and remainder. The manual leaves division by zero open. Hardware gives all ones for both, and so do we. The
// lowest number divided by -1 wraps.
//
// CPUs have no vector division of integers. For up to 32 bits a double does, and a reciprocal, which is the same for
// many dividends: the divisor is often a parameter. The reciprocal is rounded up by 2^-51 (relative), more than it and
// the product are rounded by. So the product is not below a / b, and truncation does not go wrong: when a / b is not an
// integer, it lies at least 2^-32 (relative) below the next one. Constant divisors stay integer divisions: LLVM turns
// them into multiplications. For 64 bits see vectorise/arithmetic.cpp.
Wide divide(Value a, Value b, bool is_signed) {
  unsigned bits = a.bits();
  Value by_zero = b == 0;
  Value unsafe = by_zero;
  if (is_signed) unsafe = unsafe | ((a == lowest(a)) & (b == -1));
  Value divisor = select(unsafe, 1, b);
  Value quotient;
  if (bits > 32 || llvm::isa<llvm::Constant>(b.get())) {
    quotient = is_signed ? sdiv(a, divisor) : a / divisor;
  } else {
    Builder& ir = a.builder();
    llvm::Type* f64 = ir.getDoubleTy();
    auto to_f64 = [&](Value v) { return is_signed ? signed_to(v, f64) : unsigned_to(v, f64); };
    Value q = to_f64(a) * (to_f64(divisor).like(1 + 0x1p-51) / to_f64(divisor));
    quotient = a.with(is_signed ? ir.CreateFPToSI(q.get(), a.type()) : ir.CreateFPToUI(q.get(), a.type()));
  }
  Value remainder = a - quotient * divisor;
  return {select(by_zero, -1, quotient), select(by_zero, -1, remainder)};
}

}  // namespace

void lower_div_int(Emit& e) { e.d(divide(e.a(), e.b(), is_signed(e)).low); }
void lower_rem_int(Emit& e) { e.d(divide(e.a(), e.b(), is_signed(e)).high); }

void lower_abs_int(Emit& e) {
  Value a = e.a();
  e.d(select(slt(a, 0), -a, a));
}
void lower_neg_int(Emit& e) { e.d(-e.a()); }

void lower_min_int(Emit& e) { e.d(min_of(e.a(), e.b(), is_signed(e))); }
void lower_max_int(Emit& e) { e.d(max_of(e.a(), e.b(), is_signed(e))); }

namespace {

Value min_x2(Emit& e, bool is_signed) {
  return halves([&](Value a, Value b) { return min_of(a, b, is_signed); }, e.a(), e.b());
}
Value max_x2(Emit& e, bool is_signed) {
  return halves([&](Value a, Value b) { return max_of(a, b, is_signed); }, e.a(), e.b());
}

// .relu: negative results become 0, in s32 or in each half of s16x2.
Value relu(Emit& e, Value v) {
  if (e.type() == Type::S32) return smax(v, v.like(0));
  return halves([](Value half) { return smax(half, half.like(0)); }, v);
}

}  // namespace

void lower_min_int_x2(Emit& e) { e.d(min_x2(e, e.type() == Type::S16x2)); }
void lower_max_int_x2(Emit& e) { e.d(max_x2(e, e.type() == Type::S16x2)); }
void lower_min_relu(Emit& e) { e.d(relu(e, e.type() == Type::S32 ? smin(e.a(), e.b()) : min_x2(e, true))); }
void lower_max_relu(Emit& e) { e.d(relu(e, e.type() == Type::S32 ? smax(e.a(), e.b()) : max_x2(e, true))); }

void lower_popc(Emit& e) { e.d(zext(popcount(e.a()), 32)); }
void lower_clz(Emit& e) { e.d(zext(leading_zeros(e.a()), 32)); }
void lower_brev(Emit& e) { e.d(bit_reverse(e.a())); }

// The most significant bit that differs from the sign; all ones when there is none.
void lower_bfind(Emit& e) {
  Value a = e.a();
  if (is_signed(e)) a = select(slt(a, 0), ~a, a);
  Value zeros = zext(leading_zeros(a), 32);
  Value position = e.has(Mod::ShiftAmt) ? zeros : (a.bits() - 1) - zeros;
  e.d(select(a == 0, -1, position));
}

// The position of the offset-th set bit from base upwards (offset > 0), downwards (< 0), or base itself
// (0), else all ones (9.7.1.17). A loop over bits would diverge; five steps of a binary search on popcounts do not.
void lower_fns(Emit& e) {
  Value mask = e.a(Type::B32), base = e.b(Type::B32), offset = e.c(Type::S32);
  Value up = slt(0 - offset, 0), down = slt(offset, 0);
  // Searching downwards is searching upwards in the reversed word.
  Value word = select(down, bit_reverse(mask), mask);
  Value start = select(down, 31 - base, base) & 31;
  Value wanted = select(down, 0 - offset, offset);
  Value rest = word & (word.like(-1) << start);
  Value position = e.i32(0), remaining = rest, count = wanted;
  for (unsigned step = 16; step >= 1; step /= 2) {
    Value low = remaining & ((1u << step) - 1);
    Value here = popcount(low);
    Value skip = here < count;
    count = select(skip, count - here, count);
    position = select(skip, position + step, position);
    remaining = select(skip, remaining >> step, low);
  }
  Value found = popcount(rest) >= wanted;
  Value nth = select(found, select(down, 31 - position, position), -1);
  Value at_base = select(((mask >> (base & 31)) & 1) != 0, base, -1);
  e.d(select(up | down, nth, at_base));
}

// 9.7.1.19. The field may stick out of the word: beyond it lie zeros, or the sign.
void lower_bfe(Emit& e) {
  Value a = e.a(), position = e.b(Type::U32) & 0xff, length = e.c(Type::U32) & 0xff;
  unsigned bits = a.bits();
  Value zero_length = length == 0;
  Value past = position >= bits;
  Value amount = zext(umin(position, bits - 1), bits);
  if (!is_signed(e)) {
    Value field = select(past, 0, a >> amount);
    Value mask = ~(a.like(-1) << zext(umin(length, bits - 1), bits));
    e.d(select(length >= bits, field, field & mask));
    return;
  }
  // The field's top bit, or the word's where the field ends outside, fills the rest.
  Value top = umin(position + length - 1, bits - 1);
  Value sign = (a >> zext(umin(top, bits - 1), bits)) & 1;
  Value field = select(past, ashr(a, bits - 1), ashr(a, amount));
  Value keep = umin(length, bits - 1);
  Value mask = select(length >= bits, -1, ~(a.like(-1) << zext(keep, bits)));
  Value fill = select(sign != 0, ~mask, mask.like(0));
  e.d(select(zero_length, 0, (field & mask) | fill));
}

// 9.7.1.20: d = b with a's low bits at [position, position + length).
void lower_bfi(Emit& e) {
  Value a = e.a(), b = e.b(), position = e.c(Type::U32) & 0xff, length = e.in(4, Type::U32) & 0xff;
  unsigned bits = a.bits();
  Value ones = select(length >= bits, -1, ~(a.like(-1) << zext(umin(length, bits - 1), bits)));
  Value amount = zext(umin(position, bits - 1), bits);
  Value mask = select(position >= bits, 0, ones << amount);
  e.d((b & ~mask) | ((a << amount) & mask));
}

namespace {

// Positions and widths of bmsk and szext: .clamp stops at 32, .wrap takes them modulo 32.
Value limited(Emit& e, Value v) { return e.has(Mod::Wrap) ? v & 31 : umin(v, 32); }
// 1 << n, 0 for n == 32.
Value power(Value n) { return select(n >= 32, 0, n.like(1) << umin(n, 31)); }

}  // namespace

// 9.7.1.22: `length` ones from `position` upwards.
void lower_bmsk(Emit& e) {
  Value position = limited(e, e.a()), length = limited(e, e.b());
  Value ones = power(length) - 1;
  e.d(select(position >= 32, 0, ones << umin(position, 31)));
}

// 9.7.1.21: the low n bits, extended.
void lower_szext(Emit& e) {
  Value a = e.a(), n = limited(e, e.b(Type::U32));
  Value rest = umin(32 - n, 31);
  Value low = a << rest;
  Value extended = is_signed(e) ? ashr(low, rest) : low >> rest;
  e.d(select(n == 0, 0, extended));
}

namespace {

Value piece(Value word, unsigned index, unsigned bits, bool is_signed) {
  return extend(trunc(word >> (index * bits), bits), 32, is_signed);
}

}  // namespace

void lower_dp4a(Emit& e) {
  bool a_signed = e.type(0) == Type::S32, b_signed = e.type(1) == Type::S32;
  Value a = e.a(Type::B32), b = e.b(Type::B32), sum = e.c(Type::B32);
  for (unsigned k = 0; k < 4; ++k) sum = sum + piece(a, k, 8, a_signed) * piece(b, k, 8, b_signed);
  e.d(sum);
}

// Two 16-bit numbers of a with the bytes 0 and 1 (.lo) or 2 and 3 (.hi) of b.
void lower_dp2a(Emit& e) {
  bool a_signed = e.type(0) == Type::S32, b_signed = e.type(1) == Type::S32;
  unsigned first = e.has(Mod::Hi) ? 2 : 0;
  Value a = e.a(Type::B32), b = e.b(Type::B32), sum = e.c(Type::B32);
  for (unsigned k = 0; k < 2; ++k) sum = sum + piece(a, k, 16, a_signed) * piece(b, first + k, 8, b_signed);
  e.d(sum);
}

}  // namespace warpwise::simt
