// Video instructions (PTX ISA 9.7.17): arithmetic on the bytes and halves of 32-bit words.
//
// The scalar forms (vadd …) pick one part of each operand, compute, saturate, and either combine the result
// with c (.op2) or put it into a part of c. The SIMD forms (vadd2, vadd4 …) compute on all parts of both
// operands; a selector such as .h21 picks the parts from the 64 bits b:a. Intermediate results are i64, wide
// enough for every sum and shift.
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Operand;
using ptx::Type;

namespace {

// A part of a word: its lowest bit and how many it has.
struct Part {
  unsigned shift = 0;
  unsigned bits = 32;
};

// "b2" or "h1"; the whole word for "".
Part part_of(std::string_view selector) {
  if (selector.empty()) return {};
  unsigned bits = selector[0] == 'b' ? 8 : 16;
  return {(selector[1] - '0') * bits, bits};
}

Value word(Emit& e, unsigned index) { return e.in(index, Type::B32); }

Value pick(Emit& e, unsigned index, bool is_signed) {
  Part part = part_of(e.operand(index).selector);
  return extend(trunc(word(e, index) >> part.shift, part.bits), 64, is_signed);
}

// .sat: into the range of `bits` bits.
Value clamp(Value v, unsigned bits, bool is_signed) {
  int64_t low = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  int64_t high = is_signed ? (int64_t{1} << (bits - 1)) - 1 : (int64_t{1} << bits) - 1;
  return smin(smax(v, v.like(low)), v.like(high));
}

Value absolute_difference(Value a, Value b) { return smax(a, b) - smin(a, b); }

Value compare(const Emit& e, Value a, Value b) {
  if (e.has(Mod::Eq)) return a == b;
  if (e.has(Mod::Ne)) return a != b;
  if (e.has(Mod::Lt)) return slt(a, b);
  if (e.has(Mod::Le)) return sle(a, b);
  if (e.has(Mod::Gt)) return slt(b, a);
  return sle(b, a);
}

// --- scalar forms ---

// The secondary operation, or the merge into c, of a result that fits d's part.
void finish(Emit& e, Value result, bool is_signed) {
  std::string_view selector = e.operand(0).selector;
  Part part = part_of(selector);
  if (e.has(Mod::Sat)) result = clamp(result, part.bits, is_signed);
  Value low = trunc(result, 32);
  bool has_c = e.operand_count() > 3 && !e.operand(3).is(Operand::Kind::None);
  if (!has_c) return e.d(low);
  Value c = word(e, 3);
  if (!selector.empty()) {
    uint32_t mask = ((1u << part.bits) - 1) << part.shift;
    return e.d((c & ~mask) | ((low << part.shift) & mask));
  }
  if (e.has(Mod::Add)) return e.d(low + c);
  if (e.has(Mod::Min)) return e.d(is_signed ? smin(low, c) : umin(low, c));
  if (e.has(Mod::Max)) return e.d(is_signed ? smax(low, c) : umax(low, c));
  e.d(low);
}

template <class F>
void scalar(Emit& e, F f) {
  bool a_signed = ptx::is_signed(e.type(1)), b_signed = ptx::is_signed(e.type(2));
  finish(e, f(pick(e, 1, a_signed), pick(e, 2, b_signed)), ptx::is_signed(e.type(0)));
}

// A shift amount: at most 32, or modulo 32.
Value amount(const Emit& e, Value b) { return e.has(Mod::Wrap) ? b & 31 : umin(b, 32); }

}  // namespace

void lower_vadd(Emit& e) {
  scalar(e, [](Value a, Value b) { return a + b; });
}
void lower_vsub(Emit& e) {
  scalar(e, [](Value a, Value b) { return a - b; });
}
void lower_vabsdiff(Emit& e) { scalar(e, absolute_difference); }
void lower_vmin(Emit& e) { scalar(e, smin); }
void lower_vmax(Emit& e) { scalar(e, smax); }
// A 33-bit value shifted by 32 does not fit 64 bits. Whatever is farther from 0 than 2^30 saturates once it is
// shifted by 2, so it can be replaced by 2^30 without loss.
void lower_vshl(Emit& e) {
  scalar(e, [&](Value a, Value b) {
    Value n = amount(e, b);
    if (e.has(Mod::Sat)) a = select(n >= 2, smin(smax(a, a.like(-(int64_t{1} << 30))), a.like(int64_t{1} << 30)), a);
    return a << n;
  });
}
void lower_vshr(Emit& e) {
  scalar(e, [&](Value a, Value b) { return ashr(a, amount(e, b)); });
}

// vset has no result type; its 0 or 1 is unsigned.
void lower_vset(Emit& e) {
  bool a_signed = ptx::is_signed(e.type(0)), b_signed = ptx::is_signed(e.type(1));
  Value truth = compare(e, pick(e, 1, a_signed), pick(e, 2, b_signed));
  finish(e, zext(truth, 64), false);
}

namespace {

// 9.7.17.4: a negated product or c is its complement plus one; .po ("plus one") adds the one alone.
void multiply_add(Emit& e) {
  bool a_signed = ptx::is_signed(e.type(1)), b_signed = ptx::is_signed(e.type(2));
  bool negate_product = e.operand(1).minus != e.operand(2).minus;
  bool negate_c = !negate_product && e.operand(3).minus;
  bool is_signed = a_signed || b_signed || negate_product || e.operand(3).minus;
  bool plus_one = e.has(Mod::Po) || negate_product || negate_c;

  Value product = extend(pick(e, 1, a_signed), 128, true) * extend(pick(e, 2, b_signed), 128, true);
  if (negate_product) product = ~product;
  Value c = word(e, 3);
  if (negate_c) c = ~c;
  Value sum = product + extend(c, 128, is_signed) + (plus_one ? 1 : 0);
  if (e.has(Mod::Shr7)) sum = ashr(sum, 7);
  if (e.has(Mod::Shr15)) sum = ashr(sum, 15);
  if (e.has(Mod::Sat)) {
    int64_t low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
    sum = smin(smax(sum, sum.like(low)), sum.like(high));
  }
  e.d(trunc(sum, 32));
}

}  // namespace

void lower_vmad(Emit& e) { multiply_add(e); }
void lower_vmad_po(Emit& e) { multiply_add(e); }

namespace {

// --- SIMD forms ---

// Which parts of b:a the selector picks for lane `lane`: ".h21" lists them from the highest lane down.
unsigned picked(std::string_view selector, unsigned lane, unsigned standard) {
  if (selector.size() < 2) return standard + lane;
  return selector[selector.size() - 1 - lane] - '0';
}

// Lanes of d to write: those the selector names; all when there is none.
bool writes(std::string_view selector, unsigned lane) {
  if (selector.size() < 2) return true;
  return selector.find(static_cast<char>('0' + lane), 1) != std::string_view::npos;
}

// lanes: 2 halves or 4 bytes. `f` gives a lane's result; type_offset is where the sources' types begin.
template <class F>
void simd(Emit& e, unsigned lanes, unsigned type_offset, bool result_signed, F f) {
  unsigned bits = 32 / lanes;
  bool a_signed = ptx::is_signed(e.type(type_offset)), b_signed = ptx::is_signed(e.type(type_offset + 1));
  Value both = zext(word(e, 1), 64) | (zext(word(e, 2), 64) << 32);
  auto part = [&](unsigned index, bool is_signed) {
    return extend(trunc(both >> (index * bits), bits), 64, is_signed);
  };

  Value c = word(e, 3), sum = sext(c, 64), merged = c;
  uint32_t mask = (1u << bits) - 1;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (!writes(e.operand(0).selector, lane)) continue;
    Value a = part(picked(e.operand(1).selector, lane, 0), a_signed);
    Value b = part(picked(e.operand(2).selector, lane, lanes), b_signed);
    Value result = f(a, b);
    if (e.has(Mod::Sat)) result = clamp(result, bits, result_signed);
    sum = sum + result;
    uint32_t place = mask << (lane * bits);
    merged = (merged & ~place) | ((trunc(result, 32) << (lane * bits)) & place);
  }
  e.d(e.has(Mod::Add) ? trunc(sum, 32) : merged);
}

template <class F>
void simd(Emit& e, unsigned lanes, F f) {
  simd(e, lanes, 1, ptx::is_signed(e.type(0)), f);
}

Value sum(Value a, Value b) { return a + b; }
Value difference(Value a, Value b) { return a - b; }
// Halves are rounded up when the sum is not negative, down else: (9.7.17.9).
Value average(Value a, Value b) {
  Value both = a + b;
  return ashr(both + zext(sle(both.like(0), both), 64), 1);
}

void simd_set(Emit& e, unsigned lanes) {
  simd(e, lanes, 0, false, [&](Value a, Value b) { return zext(compare(e, a, b), 64); });
}

}  // namespace

void lower_vadd2(Emit& e) { simd(e, 2, sum); }
void lower_vsub2(Emit& e) { simd(e, 2, difference); }
void lower_vavrg2(Emit& e) { simd(e, 2, average); }
void lower_vabsdiff2(Emit& e) { simd(e, 2, absolute_difference); }
void lower_vmin2(Emit& e) { simd(e, 2, smin); }
void lower_vmax2(Emit& e) { simd(e, 2, smax); }
void lower_vset2(Emit& e) { simd_set(e, 2); }
void lower_vadd4(Emit& e) { simd(e, 4, sum); }
void lower_vsub4(Emit& e) { simd(e, 4, difference); }
void lower_vavrg4(Emit& e) { simd(e, 4, average); }
void lower_vabsdiff4(Emit& e) { simd(e, 4, absolute_difference); }
void lower_vmin4(Emit& e) { simd(e, 4, smin); }
void lower_vmax4(Emit& e) { simd(e, 4, smax); }
void lower_vset4(Emit& e) { simd_set(e, 4); }

}  // namespace warpwise::simt
