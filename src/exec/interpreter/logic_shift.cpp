// Logic and shifts (PTX ISA 9.7.7).
#include <algorithm>

#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Type;

namespace {

Bits a(Step& s) { return s.bits_in(1, s.type()); }
Bits b(Step& s) { return s.bits_in(2, s.type()); }

}  // namespace

void run_and_b(Step& s) { s.d(a(s) & b(s), s.type()); }
void run_or_b(Step& s) { s.d(a(s) | b(s), s.type()); }
void run_xor_b(Step& s) { s.d(a(s) ^ b(s), s.type()); }
void run_not_b(Step& s) { s.d(~a(s), s.type()); }
void run_cnot(Step& s) { s.d(Bits{a(s) == 0}, s.type()); }

namespace {

// Bit by bit: the table's bit number a b c is the result.
uint32_t lop3(Step& s) {
  uint32_t x = s.u32(1), y = s.u32(2), z = s.u32(3), result = 0;
  uint32_t table = static_cast<uint32_t>(s.operand(4).bits);
  for (unsigned k = 0; k < 32; ++k) {
    unsigned row = (x >> k & 1) << 2 | (y >> k & 1) << 1 | (z >> k & 1);
    result |= (table >> row & 1) << k;
  }
  return result;
}

}  // namespace

void run_lop3(Step& s) { s.d(Bits{lop3(s)}, Type::B32); }

// p = (d != 0) boolop q.
void run_lop3_bool(Step& s) {
  uint32_t result = lop3(s);
  bool q = s.predicate(5);
  bool p = s.has(Mod::Or) ? result != 0 || q : result != 0 && q;
  s.out(s.operand(0).elements[0], result, Type::B32);
  s.out(s.operand(0).elements[1], p, Type::Pred);
}

// The 64-bit number b:a shifted; .l gives the upper word, .r the lower (9.7.7.8).
void run_shf(Step& s) {
  Bits wide = s.bits_in(1, Type::B32) | s.bits_in(2, Type::B32) << 32;
  unsigned n = s.has(Mod::Wrap) ? s.u32(3) & 31 : std::min(s.u32(3), 32u);
  s.d(s.has(Mod::Left) ? wide << n >> 32 : wide >> n, Type::B32);
}

// Amounts beyond the width shift everything out; 64 is beyond every width and not beyond Bits.
void run_shl(Step& s) { s.d(a(s) << std::min(s.u32(2), 64u), s.type()); }
void run_shr(Step& s) { s.d(s.a() >> std::min(s.u32(2), 64u)); }

}  // namespace warpwise::exec::interpreter
