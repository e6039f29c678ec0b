// Video instructions (PTX ISA 9.7.17): arithmetic on the bytes and halves of 32-bit words.
//
// The scalar forms (vadd ...) pick one part of each operand, compute, saturate, and either combine the result
// with c (.op2) or put it into a part of c. The SIMD forms (vadd2, vadd4 ...) compute on all parts of both
// operands; a selector such as .h21 picks the parts from the 64 bits b:a.
#include <algorithm>

#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Type;

namespace {

// A part of a word: its lowest bit and how many it has.
struct Part {
  unsigned shift = 0, bits = 32;
};

// "b2" or "h1"; the whole word for "".
Part part_of(std::string_view selector) {
  if (selector.empty()) return {};
  unsigned bits = selector[0] == 'b' ? 8 : 16;
  return {static_cast<unsigned>(selector[1] - '0') * bits, bits};
}

uint32_t word(Step& s, unsigned index) { return static_cast<uint32_t>(s.bits_in(index, Type::B32)); }

Number pick(Step& s, unsigned index, bool is_signed) {
  Part part = part_of(s.operand(index).selector);
  return number_of(word(s, index) >> part.shift, part.bits, is_signed);
}

bool compare(const Step& s, Number a, Number b) {
  if (s.has(Mod::Eq)) return a == b;
  if (s.has(Mod::Ne)) return a != b;
  if (s.has(Mod::Lt)) return a < b;
  if (s.has(Mod::Le)) return a <= b;
  if (s.has(Mod::Gt)) return a > b;
  return a >= b;
}

// --- scalar forms ---

// The secondary operation, or the merge into c.
void finish(Step& s, Number result, bool is_signed) {
  std::string_view selector = s.operand(0).selector;
  Part part = part_of(selector);
  if (s.has(Mod::Sat)) result = clamp(result, range_of(part.bits, is_signed));
  Bits low = static_cast<Bits>(result) & 0xffffffff;
  if (!s.present(3)) return s.d(low, Type::B32);
  Bits c = word(s, 3);
  if (!selector.empty()) {
    Bits place = mask_of(part.bits) << part.shift;
    return s.d((c & ~place) | (low << part.shift & place), Type::B32);
  }
  Number first = number_of(low, 32, is_signed), second = number_of(c, 32, is_signed);
  if (s.has(Mod::Add)) first += second;
  if (s.has(Mod::Min)) first = std::min(first, second);
  if (s.has(Mod::Max)) first = std::max(first, second);
  s.d(static_cast<Bits>(first), Type::B32);
}

template <class F>
void scalar(Step& s, F f) {
  Number a = pick(s, 1, ptx::is_signed(s.type(1))), b = pick(s, 2, ptx::is_signed(s.type(2)));
  finish(s, f(a, b), ptx::is_signed(s.type(0)));
}

Number sum(Number a, Number b) { return a + b; }
Number difference(Number a, Number b) { return a - b; }
Number absolute_difference(Number a, Number b) { return a > b ? a - b : b - a; }
Number smaller(Number a, Number b) { return std::min(a, b); }
Number larger(Number a, Number b) { return std::max(a, b); }
// Halves are rounded away from zero when the sum is not negative, towards minus infinity else (9.7.17.9).
Number average(Number a, Number b) { return (a + b + (a + b >= 0)) >> 1; }

// A shift amount: at most 32, or modulo 32.
unsigned amount(const Step& s, Number b) {
  uint32_t n = static_cast<uint32_t>(b);
  return s.has(Mod::Wrap) ? n & 31 : std::min(n, 32u);
}

}  // namespace

void run_vadd(Step& s) { scalar(s, sum); }
void run_vsub(Step& s) { scalar(s, difference); }
void run_vabsdiff(Step& s) { scalar(s, absolute_difference); }
void run_vmin(Step& s) { scalar(s, smaller); }
void run_vmax(Step& s) { scalar(s, larger); }
void run_vshl(Step& s) {
  scalar(s, [&](Number a, Number b) { return a * (Number{1} << amount(s, b)); });
}
void run_vshr(Step& s) {
  scalar(s, [&](Number a, Number b) { return a >> amount(s, b); });
}

// vset has no result type; its 0 or 1 is unsigned.
void run_vset(Step& s) {
  Number a = pick(s, 1, ptx::is_signed(s.type(0))), b = pick(s, 2, ptx::is_signed(s.type(1)));
  finish(s, compare(s, a, b), false);
}

namespace {

// 9.7.17.4: a negated product or c is its complement plus one; .po ("plus one") adds the one alone.
void multiply_add(Step& s) {
  bool negate_product = s.operand(1).minus != s.operand(2).minus;
  bool negate_c = !negate_product && s.operand(3).minus;
  bool a_signed = ptx::is_signed(s.type(1)), b_signed = ptx::is_signed(s.type(2));
  bool is_signed = a_signed || b_signed || negate_product || s.operand(3).minus;

  Number product = pick(s, 1, a_signed) * pick(s, 2, b_signed);
  Bits c = word(s, 3);
  Number result = (negate_product ? ~product : product) + number_of(negate_c ? ~c : c, 32, is_signed);
  if (s.has(Mod::Po) || negate_product || negate_c) ++result;
  if (s.has(Mod::Shr7)) result >>= 7;
  if (s.has(Mod::Shr15)) result >>= 15;
  if (s.has(Mod::Sat)) result = clamp(result, range_of(32, is_signed));
  s.d(static_cast<Bits>(result), Type::B32);
}

}  // namespace

void run_vmad(Step& s) { multiply_add(s); }
void run_vmad_po(Step& s) { multiply_add(s); }

namespace {

// --- SIMD forms ---

// Which part of b:a the selector picks for a lane: ".h21" lists them from the highest lane down.
unsigned picked(std::string_view selector, unsigned lane, unsigned standard) {
  if (selector.size() < 2) return standard + lane;
  return static_cast<unsigned>(selector[selector.size() - 1 - lane] - '0');
}

// Lanes of d to write: those the selector names; all when there is none.
bool writes(std::string_view selector, unsigned lane) {
  if (selector.size() < 2) return true;
  return selector.find(static_cast<char>('0' + lane), 1) != std::string_view::npos;
}

// lanes: 2 halves or 4 bytes. `f` gives a lane's result; the sources' types start at `first_type`.
template <class F>
void simd(Step& s, unsigned lanes, unsigned first_type, bool result_signed, F f) {
  unsigned bits = 32 / lanes;
  bool a_signed = ptx::is_signed(s.type(first_type)), b_signed = ptx::is_signed(s.type(first_type + 1));
  Bits both = Bits{word(s, 1)} | Bits{word(s, 2)} << 32, merged = word(s, 3);
  Number total = number_of(merged, 32, true);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (!writes(s.operand(0).selector, lane)) continue;
    Number a = number_of(both >> (bits * picked(s.operand(1).selector, lane, 0)), bits, a_signed);
    Number b = number_of(both >> (bits * picked(s.operand(2).selector, lane, lanes)), bits, b_signed);
    Number result = f(a, b);
    if (s.has(Mod::Sat)) result = clamp(result, range_of(bits, result_signed));
    total += result;
    Bits place = mask_of(bits) << (bits * lane);
    merged = (merged & ~place) | (static_cast<Bits>(result) << (bits * lane) & place);
  }
  s.d(s.has(Mod::Add) ? static_cast<Bits>(total) : merged, Type::B32);
}

template <class F>
void simd(Step& s, unsigned lanes, F f) {
  simd(s, lanes, 1, ptx::is_signed(s.type(0)), f);
}

void simd_set(Step& s, unsigned lanes) {
  simd(s, lanes, 0, false, [&](Number a, Number b) { return Number{compare(s, a, b)}; });
}

}  // namespace

void run_vadd2(Step& s) { simd(s, 2, sum); }
void run_vsub2(Step& s) { simd(s, 2, difference); }
void run_vavrg2(Step& s) { simd(s, 2, average); }
void run_vabsdiff2(Step& s) { simd(s, 2, absolute_difference); }
void run_vmin2(Step& s) { simd(s, 2, smaller); }
void run_vmax2(Step& s) { simd(s, 2, larger); }
void run_vset2(Step& s) { simd_set(s, 2); }
void run_vadd4(Step& s) { simd(s, 4, sum); }
void run_vsub4(Step& s) { simd(s, 4, difference); }
void run_vavrg4(Step& s) { simd(s, 4, average); }
void run_vabsdiff4(Step& s) { simd(s, 4, absolute_difference); }
void run_vmin4(Step& s) { simd(s, 4, smaller); }
void run_vmax4(Step& s) { simd(s, 4, larger); }
void run_vset4(Step& s) { simd_set(s, 4); }

}  // namespace warpwise::exec::interpreter
