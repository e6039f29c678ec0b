// Comparison and selection (PTX ISA 9.7.5, 9.7.6).
#include "exec/interpreter/dispatch.h"
#include "exec/interpreter/floating.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Operand;
using ptx::Type;

namespace {

// a ? b for numbers as the instruction's comparison says: true, false, or unordered, when only those
// comparisons hold that end in u, and .nan (9.3.1).
template <class T>
bool compare(const Step& s, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    bool unordered = std::isnan(a) || std::isnan(b);
    if (s.has(Mod::Num)) return !unordered;
    if (s.has(Mod::Nan)) return unordered;
    if (unordered) {
      return s.has(Mod::Equ) || s.has(Mod::Neu) || s.has(Mod::Ltu) || s.has(Mod::Leu) || s.has(Mod::Gtu) ||
             s.has(Mod::Geu);
    }
  }
  if (s.has(Mod::Eq) || s.has(Mod::Equ)) return a == b;
  if (s.has(Mod::Ne) || s.has(Mod::Neu)) return a != b;
  if (s.has(Mod::Lt) || s.has(Mod::Ltu) || s.has(Mod::Lo)) return a < b;
  if (s.has(Mod::Le) || s.has(Mod::Leu) || s.has(Mod::Ls)) return a <= b;
  if (s.has(Mod::Gt) || s.has(Mod::Gtu) || s.has(Mod::Hi)) return a > b;
  return a >= b;
}

// The comparison of operands 1 and 2 in `type`; part 1 is the upper half of packed types.
bool compare(Step& s, Type type, unsigned part = 0) {
  switch (type) {
    case Type::F32:
      return s.has(Mod::Ftz) ? compare(s, flush(s.f32(1)), flush(s.f32(2))) : compare(s, s.f32(1), s.f32(2));
    case Type::F64:
      return compare(s, s.f64(1), s.f64(2));
    case Type::F16:
    case Type::F16x2:
    case Type::BF16:
    case Type::BF16x2: {
      auto value = [&](unsigned index) {
        Type bits = ptx::bits_of(type) == 32 ? Type::B32 : Type::B16;
        double number = read(format_of(type), static_cast<uint64_t>(s.bits_in(index, bits) >> (16 * part) & 0xffff));
        return s.has(Mod::Ftz) && std::fabs(number) < 0x1p-14 ? std::copysign(0.0, number) : number;
      };
      return compare(s, value(1), value(2));
    }
    default:
      return compare(s, s.in(1, type), s.in(2, type));
  }
}

// `result boolop c` where the instruction has one.
bool combine(Step& s, bool result) {
  if (!s.present(3)) return result;
  bool c = s.predicate(3);
  if (s.has(Mod::And)) return result && c;
  if (s.has(Mod::Or)) return result || c;
  return result != c;
}

// What set writes for true: 1.0 in a floating-point type, all ones else.
Bits truth(Type type, bool condition) {
  if (!condition) return 0;
  switch (type) {
    case Type::F32:
      return bits_of(1.0f);
    case Type::F16:
      return 0x3c00;
    case Type::BF16:
      return 0x3f80;
    default:
      return mask_of(ptx::bits_of(type));
  }
}

void set(Step& s) { s.d(truth(s.type(0), combine(s, compare(s, s.type(1)))), s.type(0)); }

// Two results of 16 bits: 1.0 in the packed type, all ones in u32 and s32.
void set_x2(Step& s) {
  Type one = s.type(0) == Type::F16x2 ? Type::F16 : s.type(0) == Type::BF16x2 ? Type::BF16 : Type::U16;
  Bits low = truth(one, combine(s, compare(s, s.type(1), 0)));
  Bits high = truth(one, combine(s, compare(s, s.type(1), 1)));
  s.d(low | high << 16, Type::B32);
}

// p gets the comparison, q its opposite, each combined with c, which is read before p is written.
void setp(Step& s) {
  bool result = compare(s, s.type());
  bool p = combine(s, result), q = combine(s, !result);
  const Operand& to = s.operand(0);
  if (!to.is(Operand::Kind::Pair)) return s.d(Bits{p}, Type::Pred);
  s.out(to.elements[0], p, Type::Pred);
  s.out(to.elements[1], q, Type::Pred);
}

// Packed: p is about the lower halves, q about the upper ones.
void setp_x2(Step& s) {
  bool p = combine(s, compare(s, s.type(), 0)), q = combine(s, compare(s, s.type(), 1));
  s.out(s.operand(0).elements[0], p, Type::Pred);
  s.out(s.operand(0).elements[1], q, Type::Pred);
}

}  // namespace

void run_set_bits(Step& s) { set(s); }
void run_set_unsigned(Step& s) { set(s); }
void run_set_signed(Step& s) { set(s); }
void run_set_f32(Step& s) { set(s); }
void run_set_f64(Step& s) { set(s); }
void run_set_f16(Step& s) { set(s); }
void run_set_bf16(Step& s) { set(s); }
void run_set_half_bits(Step& s) { set(s); }
void run_set_half_unsigned(Step& s) { set(s); }
void run_set_half_signed(Step& s) { set(s); }
void run_set_half_f32(Step& s) { set(s); }
void run_set_half_f64(Step& s) { set(s); }
void run_set_f16x2(Step& s) { set_x2(s); }
void run_set_bf16x2(Step& s) { set_x2(s); }
void run_setp_bits(Step& s) { setp(s); }
void run_setp_unsigned(Step& s) { setp(s); }
void run_setp_signed(Step& s) { setp(s); }
void run_setp_f32(Step& s) { setp(s); }
void run_setp_f64(Step& s) { setp(s); }
void run_setp_f16(Step& s) { setp(s); }
void run_setp_bf16(Step& s) { setp(s); }
void run_setp_f16x2(Step& s) { setp_x2(s); }
void run_setp_bf16x2(Step& s) { setp_x2(s); }

void run_selp(Step& s) { s.d(s.bits_in(s.predicate(3) ? 1 : 2, s.type()), s.type()); }
void run_slct_s32(Step& s) { s.d(s.bits_in(s.in(3, Type::S32) >= 0 ? 1 : 2, s.type()), s.type()); }
// -0 counts as not negative; NaN chooses b.
void run_slct_f32(Step& s) {
  float c = s.has(Mod::Ftz) ? flush(s.f32(3)) : s.f32(3);
  s.d(s.bits_in(c >= 0 ? 1 : 2, s.type()), s.type());
}

}  // namespace warpwise::exec::interpreter
