// Integer arithmetic (PTX ISA 9.7.1).
#include <algorithm>

#include "exec/interpreter/choices.h"
#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Type;

namespace {

void saturate(Step& s, Number value) { s.d(clamp(value, range_of(s.type()))); }

// d = f(a, b) for the two 16-bit numbers of a word.
template <class F>
void halves(Step& s, F f) {
  bool is_signed = s.type() == Type::S16x2;
  Bits a = s.bits_in(1, Type::B32), b = s.bits_in(2, Type::B32), result = 0;
  for (unsigned at : {0u, 16u}) {
    Number value = f(number_of(a >> at, 16, is_signed), number_of(b >> at, 16, is_signed));
    result |= (static_cast<Bits>(value) & 0xffff) << at;
  }
  s.d(result, Type::B32);
}

// The low or high half of the product. The product of two u64 needs all of 128 bits, so it is formed
// without a sign; the bits are the same.
Number multiply(Step& s) {
  Bits product = static_cast<Bits>(s.a()) * static_cast<Bits>(s.b());
  if (!s.has(Mod::Hi)) return static_cast<Number>(product);
  return number_of(product >> s.bits(), s.bits(), ptx::is_signed(s.type()));
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

// The 48-bit product of the low 24 bits: bits 0 to 31, or 16 to 47 for .hi.
Number multiply24(Step& s) {
  bool is_signed = ptx::is_signed(s.type());
  Number product =
      number_of(s.bits_in(1, Type::B32), 24, is_signed) * number_of(s.bits_in(2, Type::B32), 24, is_signed);
  return number_of(static_cast<Bits>(s.has(Mod::Hi) ? product >> 16 : product), 32, is_signed);
}

Number relu(Number value) { return std::max<Number>(value, 0); }

}  // namespace

void run_add_int(Step& s) { s.d(s.a() + s.b()); }
void run_add_sat(Step& s) { saturate(s, s.a() + s.b()); }
void run_add_int_x2(Step& s) {
  halves(s, [](Number a, Number b) { return a + b; });
}
void run_sub_int(Step& s) { s.d(s.a() - s.b()); }
void run_sub_sat(Step& s) { saturate(s, s.a() - s.b()); }

void run_mul_int(Step& s) { s.d(multiply(s)); }
void run_mul_wide(Step& s) { s.d(static_cast<Bits>(s.a() * s.b()), doubled(s.type())); }
void run_mad_int(Step& s) { s.d(multiply(s) + s.c()); }
void run_mad_wide(Step& s) { s.d(static_cast<Bits>(s.a() * s.b() + s.in(3, doubled(s.type()))), doubled(s.type())); }
void run_mad_sat(Step& s) { saturate(s, multiply(s) + s.c()); }
void run_mul24(Step& s) { s.d(multiply24(s)); }
void run_mad24(Step& s) { s.d(multiply24(s) + s.c()); }
void run_mad24_sat(Step& s) { saturate(s, multiply24(s) + s.c()); }

void run_sad(Step& s) { s.d(s.c() + std::max(s.a(), s.b()) - std::min(s.a(), s.b())); }

void run_div_int(Step& s) { s.d(s.b() == 0 ? Number{-1} : s.a() / s.b()); }
void run_rem_int(Step& s) { s.d(s.b() == 0 ? Number{-1} : s.a() % s.b()); }

void run_abs_int(Step& s) { s.d(s.a() < 0 ? -s.a() : s.a()); }
void run_neg_int(Step& s) { s.d(-s.a()); }

void run_min_int(Step& s) { s.d(std::min(s.a(), s.b())); }
void run_max_int(Step& s) { s.d(std::max(s.a(), s.b())); }
void run_min_int_x2(Step& s) {
  halves(s, [](Number a, Number b) { return std::min(a, b); });
}
void run_max_int_x2(Step& s) {
  halves(s, [](Number a, Number b) { return std::max(a, b); });
}
void run_min_relu(Step& s) {
  if (s.type() == Type::S32) return s.d(relu(std::min(s.a(), s.b())));
  halves(s, [](Number a, Number b) { return relu(std::min(a, b)); });
}
void run_max_relu(Step& s) {
  if (s.type() == Type::S32) return s.d(relu(std::max(s.a(), s.b())));
  halves(s, [](Number a, Number b) { return relu(std::max(a, b)); });
}

// --- bits ---

void run_popc(Step& s) {
  s.d(static_cast<Bits>(std::popcount(static_cast<uint64_t>(s.bits_in(1, s.type())))), Type::B32);
}
void run_clz(Step& s) {
  unsigned zeros = static_cast<unsigned>(std::countl_zero(static_cast<uint64_t>(s.bits_in(1, s.type()))));
  s.d(Bits{zeros - (64 - s.bits())}, Type::B32);
}
void run_brev(Step& s) {
  Bits a = s.bits_in(1, s.type()), reversed = 0;
  for (unsigned k = 0; k < s.bits(); ++k) reversed |= (a >> k & 1) << (s.bits() - 1 - k);
  s.d(reversed, s.type());
}

// The most significant bit that differs from the sign, or the shift that brings it to the top; all ones
// when there is none (9.7.1.16).
void run_bfind(Step& s) {
  Number a = s.a();
  uint64_t word = static_cast<uint64_t>(a < 0 ? ~a : a);
  if (word == 0) return s.d(Bits{0xffffffff}, Type::B32);
  unsigned top = 63 - static_cast<unsigned>(std::countl_zero(word));
  s.d(Bits{s.has(Mod::ShiftAmt) ? s.bits() - 1 - top : top}, Type::B32);
}

// 9.7.1.17: walks from base, upwards or downwards, until `offset` set bits have been passed.
void run_fns(Step& s) {
  uint32_t mask = static_cast<uint32_t>(s.bits_in(1, Type::B32)),
           base = static_cast<uint32_t>(s.bits_in(2, Type::B32)) & 31;
  int32_t offset = static_cast<int32_t>(s.in(3, Type::S32));
  uint32_t found = 0xffffffff;
  if (offset == 0) {
    if (mask >> base & 1) found = base;
  } else {
    int32_t step = offset > 0 ? 1 : -1;
    int64_t wanted = offset > 0 ? offset : -int64_t{offset};
    for (int32_t at = static_cast<int32_t>(base); at >= 0 && at < 32; at += step) {
      if ((mask >> at & 1) && --wanted == 0) {
        found = static_cast<uint32_t>(at);
        break;
      }
    }
  }
  s.d(Bits{found}, Type::B32);
}

// 9.7.1.19, as the manual's own loop: bits beyond the word are the sign's.
void run_bfe(Step& s) {
  unsigned bits = s.bits(), position = s.u32(2) & 0xff, length = s.u32(3) & 0xff;
  Bits a = s.bits_in(1, s.type());
  bool sign = false;
  if (ptx::is_signed(s.type()) && length != 0) sign = a >> std::min(position + length - 1, bits - 1) & 1;
  Bits d = 0;
  for (unsigned k = 0; k < bits; ++k) {
    bool bit = k < length && position + k < bits ? (a >> (position + k) & 1) != 0 : sign;
    d |= Bits{bit} << k;
  }
  s.d(d, s.type());
}

// 9.7.1.20.
void run_bfi(Step& s) {
  unsigned bits = s.bits(), position = s.u32(3) & 0xff, length = s.u32(4) & 0xff;
  Bits a = s.bits_in(1, s.type()), d = s.bits_in(2, s.type());
  for (unsigned k = 0; k < length && position + k < bits; ++k) {
    Bits bit = Bits{1} << (position + k);
    d = a >> k & 1 ? d | bit : d & ~bit;
  }
  s.d(d, s.type());
}

namespace {

// Positions and widths of bmsk and szext: .clamp stops at 32, .wrap takes them modulo 32.
unsigned limited(Step& s, unsigned index) { return s.has(Mod::Wrap) ? s.u32(index) & 31 : std::min(s.u32(index), 32u); }

}  // namespace

void run_bmsk(Step& s) { s.d(mask_of(limited(s, 2)) << limited(s, 1), Type::B32); }
void run_szext(Step& s) {
  unsigned n = limited(s, 2);
  s.d(n == 0 ? Number{0} : number_of(s.bits_in(1, s.type()), n, ptx::is_signed(s.type())));
}

// --- dot products ---

void run_dp4a(Step& s) {
  Bits a = s.bits_in(1, Type::B32), b = s.bits_in(2, Type::B32);
  Number sum = static_cast<Number>(s.bits_in(3, Type::B32));
  for (unsigned k = 0; k < 4; ++k) {
    sum += number_of(a >> (8 * k), 8, s.type(0) == Type::S32) * number_of(b >> (8 * k), 8, s.type(1) == Type::S32);
  }
  s.d(static_cast<Bits>(sum), Type::B32);
}

// Two 16-bit numbers of a with the bytes 0 and 1 (.lo) or 2 and 3 (.hi) of b.
void run_dp2a(Step& s) {
  Bits a = s.bits_in(1, Type::B32), b = s.bits_in(2, Type::B32) >> (s.has(Mod::Hi) ? 16 : 0);
  Number sum = static_cast<Number>(s.bits_in(3, Type::B32));
  for (unsigned k = 0; k < 2; ++k) {
    sum += number_of(a >> (16 * k), 16, s.type(0) == Type::S32) * number_of(b >> (8 * k), 8, s.type(1) == Type::S32);
  }
  s.d(static_cast<Bits>(sum), Type::B32);
}

}  // namespace warpwise::exec::interpreter
