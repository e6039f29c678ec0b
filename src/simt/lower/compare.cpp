// Comparison and selection (PTX ISA 9.7.5, 9.7.6).
#include "simt/lower/dispatch.h"
#include "simt/lower/support/rounding.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Operand;
using ptx::Type;

namespace {

// a ? b for numbers as the instruction's comparison says. On floats the plain operators are false when a
// NaN takes part, `ne` included; those ending in u are then true (9.3.1).
Value compare_floats(const Emit& e, Value a, Value b) {
  auto compared = [&](llvm::CmpInst::Predicate how) { return a.with(a.builder().CreateFCmp(how, a.get(), b.get())); };
  if (e.has(Mod::Eq)) return a == b;
  if (e.has(Mod::Ne)) return compared(llvm::CmpInst::FCMP_ONE);
  if (e.has(Mod::Lt)) return a < b;
  if (e.has(Mod::Le)) return a <= b;
  if (e.has(Mod::Gt)) return a > b;
  if (e.has(Mod::Ge)) return a >= b;
  if (e.has(Mod::Equ)) return compared(llvm::CmpInst::FCMP_UEQ);
  if (e.has(Mod::Neu)) return a != b;
  if (e.has(Mod::Ltu)) return compared(llvm::CmpInst::FCMP_ULT);
  if (e.has(Mod::Leu)) return compared(llvm::CmpInst::FCMP_ULE);
  if (e.has(Mod::Gtu)) return compared(llvm::CmpInst::FCMP_UGT);
  if (e.has(Mod::Geu)) return compared(llvm::CmpInst::FCMP_UGE);
  return compared(e.has(Mod::Num) ? llvm::CmpInst::FCMP_ORD : llvm::CmpInst::FCMP_UNO);
}

Value compare_integers(const Emit& e, Value a, Value b, bool is_signed) {
  if (e.has(Mod::Eq)) return a == b;
  if (e.has(Mod::Ne)) return a != b;
  if (e.has(Mod::Lt) || e.has(Mod::Lo)) return is_signed ? slt(a, b) : a < b;
  if (e.has(Mod::Le) || e.has(Mod::Ls)) return is_signed ? sle(a, b) : a <= b;
  if (e.has(Mod::Gt) || e.has(Mod::Hi)) return is_signed ? slt(b, a) : a > b;
  return is_signed ? sle(b, a) : a >= b;
}

Value f16_part(Emit& e, unsigned index, unsigned part) {
  return to_float(half_of(trunc(e.in(index, Type::B32) >> (16 * part), 16)));
}
Value bf16_part(Emit& e, unsigned index, unsigned part) {
  return bf16_to_float(trunc(e.in(index, Type::B32) >> (16 * part), 16));
}
Value flush_half(Value f) { return select(abs(f) < 0x1p-14f, copysign(f.like(0), f), f); }

// The comparison of operands 1 and 2 in `type`; part 1 is the upper half of packed types.
Value compare(Emit& e, Type type, unsigned part = 0) {
  bool ftz = e.has(Mod::Ftz);
  auto floats = [&](Value a, Value b) { return compare_floats(e, a, b); };
  switch (type) {
    case Type::F32:
      return ftz ? floats(flush(e.a(type)), flush(e.b(type))) : floats(e.a(type), e.b(type));
    case Type::F64:
      return floats(e.a(type), e.b(type));
    case Type::F16: {
      Value a = to_float(e.a(type)), b = to_float(e.b(type));
      return ftz ? floats(flush_half(a), flush_half(b)) : floats(a, b);
    }
    case Type::F16x2: {
      Value a = f16_part(e, 1, part), b = f16_part(e, 2, part);
      return ftz ? floats(flush_half(a), flush_half(b)) : floats(a, b);
    }
    case Type::BF16:
      return floats(bf16_to_float(e.a(type)), bf16_to_float(e.b(type)));
    case Type::BF16x2:
      return floats(bf16_part(e, 1, part), bf16_part(e, 2, part));
    default:
      return compare_integers(e, e.a(type), e.b(type), ptx::is_signed(type));
  }
}

// `result boolop c` where the instruction has one.
Value combine(Emit& e, Value result) {
  if (e.operand_count() < 4 || e.operand(3).is(Operand::Kind::None)) return result;
  Value c = e.predicate(e.operand(3));
  if (e.has(Mod::And)) return result & c;
  if (e.has(Mod::Or)) return result | c;
  if (e.has(Mod::Xor)) return result ^ c;
  return result;
}

// What set writes for true: 1.0 in a floating-point type, all ones else.
Value truth(Emit& e, Type type, Value condition) {
  switch (type) {
    case Type::F32:
      return select(condition, e.f32(1), e.f32(0));
    case Type::F16:
      return select(condition, half_of(e.i16(0x3c00)), half_of(e.i16(0)));
    case Type::BF16:
      return select(condition, e.i16(0x3f80), e.i16(0));
    default:
      return sext(condition, ptx::bits_of(type));
  }
}

void set(Emit& e) { e.d(truth(e, e.type(0), combine(e, compare(e, e.type(1))))); }

void set_x2(Emit& e) {
  Type one = e.type(0) == Type::F16x2 ? Type::F16 : e.type(0) == Type::BF16x2 ? Type::BF16 : Type::U16;
  Value low = truth(e, one, combine(e, compare(e, e.type(1), 0)));
  Value high = truth(e, one, combine(e, compare(e, e.type(1), 1)));
  e.d(zext(e.bits(low), 32) | (zext(e.bits(high), 32) << 16));
}

// p gets the comparison, q its opposite, each combined with c.
void setp(Emit& e) {
  Value result = compare(e, e.type());
  const Operand& d = e.operand(0);
  if (!d.is(Operand::Kind::Pair)) return e.d(combine(e, result));
  // c is read before p is written: they may be the same register.
  Value p = combine(e, result), q = combine(e, !result);
  e.out(d.elements[0], p);
  e.out(d.elements[1], q);
}

// Packed: p is about the lower halves, q about the upper ones.
void setp_x2(Emit& e) {
  Value p = combine(e, compare(e, e.type(), 0)), q = combine(e, compare(e, e.type(), 1));
  e.out(e.operand(0).elements[0], p);
  e.out(e.operand(0).elements[1], q);
}

}  // namespace

void lower_set_bits(Emit& e) { set(e); }
void lower_set_unsigned(Emit& e) { set(e); }
void lower_set_signed(Emit& e) { set(e); }
void lower_set_f32(Emit& e) { set(e); }
void lower_set_f64(Emit& e) { set(e); }
void lower_set_f16(Emit& e) { set(e); }
void lower_set_bf16(Emit& e) { set(e); }
void lower_set_half_bits(Emit& e) { set(e); }
void lower_set_half_unsigned(Emit& e) { set(e); }
void lower_set_half_signed(Emit& e) { set(e); }
void lower_set_half_f32(Emit& e) { set(e); }
void lower_set_half_f64(Emit& e) { set(e); }
void lower_set_f16x2(Emit& e) { set_x2(e); }
void lower_set_bf16x2(Emit& e) { set_x2(e); }
void lower_setp_bits(Emit& e) { setp(e); }
void lower_setp_unsigned(Emit& e) { setp(e); }
void lower_setp_signed(Emit& e) { setp(e); }
void lower_setp_f32(Emit& e) { setp(e); }
void lower_setp_f64(Emit& e) { setp(e); }
void lower_setp_f16(Emit& e) { setp(e); }
void lower_setp_bf16(Emit& e) { setp(e); }
void lower_setp_f16x2(Emit& e) { setp_x2(e); }
void lower_setp_bf16x2(Emit& e) { setp_x2(e); }

void lower_selp(Emit& e) { e.d(select(e.predicate(e.operand(3)), e.moved(1), e.moved(2))); }
void lower_slct_s32(Emit& e) { e.d(select(sle(e.i32(0), e.c(Type::S32)), e.moved(1), e.moved(2))); }
// -0 counts as not negative; NaN chooses b.
void lower_slct_f32(Emit& e) {
  Value c = e.c(Type::F32);
  if (e.has(Mod::Ftz)) c = flush(c);
  e.d(select(c >= 0, e.moved(1), e.moved(2)));
}

}  // namespace warpwise::simt
