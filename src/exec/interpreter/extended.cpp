// Extended-precision arithmetic (PTX ISA 9.7.2). CC.CF is a bit of the thread: the carry of x + y + in, and of x + ~y +
// in for a subtraction (simt/lower/extended.cpp says why not the borrow). Operands count without a sign here: the carry
// is that of the bits.
#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;

namespace {

void add(Step& s, Bits x, Bits y, bool carry_in) {
  Bits sum = (x & mask_of(s.bits())) + (y & mask_of(s.bits())) + carry_in;
  s.d(sum, s.type());
  if (s.has(Mod::Cc)) s.thread.carry = sum >> s.bits() != 0;
}

void subtract(Step& s, bool carry_in) { add(s, s.bits_in(1, s.type()), ~s.bits_in(2, s.type()), carry_in); }

Bits product(Step& s) {
  Bits product = static_cast<Bits>(s.a()) * static_cast<Bits>(s.b());
  return s.has(Mod::Hi) ? product >> s.bits() : product;
}

}  // namespace

void run_add_cc(Step& s) { add(s, s.bits_in(1, s.type()), s.bits_in(2, s.type()), false); }
void run_addc(Step& s) { add(s, s.bits_in(1, s.type()), s.bits_in(2, s.type()), s.thread.carry); }
void run_sub_cc(Step& s) { subtract(s, true); }
void run_subc(Step& s) { subtract(s, s.thread.carry); }
void run_mad_cc(Step& s) { add(s, product(s), s.bits_in(3, s.type()), false); }
void run_madc(Step& s) { add(s, product(s), s.bits_in(3, s.type()), s.thread.carry); }

}  // namespace warpwise::exec::interpreter
