#include "simt/analysis/lane_algebra.h"

#include <bit>

namespace warpwise::simt {

using namespace llvm;

unsigned width_of(const Value* value) { return value->getType()->getIntegerBitWidth(); }

int64_t sign_extend(uint64_t bits, unsigned width) {
  return width >= 64 ? static_cast<int64_t>(bits) : static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}

static bool all_zero(const LaneConstants& lanes) {
  return std::all_of(lanes.begin(), lanes.end(), [](int64_t v) { return v == 0; });
}

// Adds `scale * term` to a list in which every coefficient occurs once.
static void add_term(SmallVectorImpl<Term>& terms, const Term& term, uint64_t scale) {
  auto found =
      std::find_if(terms.begin(), terms.end(), [&](const Term& t) { return t.coefficient == term.coefficient; });
  if (found == terms.end()) found = &terms.emplace_back(Term{term.coefficient, {}});
  for (unsigned l = 0; l < kLanes; ++l)
    found->lanes[l] = static_cast<int64_t>(uint64_t(found->lanes[l]) + scale * uint64_t(term.lanes[l]));
  if (all_zero(found->lanes)) terms.erase(found);
}

static void add_correction(SmallVectorImpl<Correction>& list, const Correction& correction, uint64_t scale) {
  auto found =
      std::find_if(list.begin(), list.end(), [&](const Correction& c) { return c.extension == correction.extension; });
  if (found == list.end()) found = &list.emplace_back(Correction{correction.extension, 0});
  found->multiplier = static_cast<int64_t>(uint64_t(found->multiplier) + scale * uint64_t(correction.multiplier));
  if (found->multiplier == 0) list.erase(found);
}

// Terms are kept modulo the width of the value, as signed numbers.
void wrap(Shape& shape, unsigned width) {
  for (size_t i = 0; i < shape.terms.size();) {
    for (int64_t& c : shape.terms[i].lanes) c = sign_extend(uint64_t(c), width);
    if (all_zero(shape.terms[i].lanes))
      shape.terms.erase(shape.terms.begin() + i);
    else
      ++i;
  }
  auto in_range = [&](int64_t v) { return sign_extend(uint64_t(v), width) == v; };
  if (!in_range(shape.low) || !in_range(shape.high)) shape.low = INT64_MIN, shape.high = INT64_MAX;
  if (shape.constant) {
    shape.constant = sign_extend(uint64_t(*shape.constant), width);
    shape.low = shape.high = *shape.constant;
    shape.trailing_zeros = *shape.constant == 0 ? width : std::countr_zero(uint64_t(*shape.constant));
  }
}

Shape constant_shape(int64_t value, unsigned width) {
  Shape shape = Shape::uniform();
  shape.constant = value;
  wrap(shape, width);
  return shape;
}

// Only compile-time lane offsets (no uniform factors, no corrections)?
bool plain(const Shape& shape) {
  return shape.is_affine() && shape.corrections.empty() &&
         (shape.terms.empty() || (shape.terms.size() == 1 && shape.terms[0].coefficient == Coefficient{}));
}

int64_t plain_lane(const Shape& shape, unsigned lane) { return shape.terms.empty() ? 0 : shape.terms[0].lanes[lane]; }

// All 32 values when they are known at compile time.
std::optional<LaneConstants> known_lanes(const Shape& shape, unsigned width) {
  if (!plain(shape) || !shape.constant) return std::nullopt;
  LaneConstants lanes;
  for (unsigned l = 0; l < kLanes; ++l)
    lanes[l] = sign_extend(uint64_t(*shape.constant) + uint64_t(plain_lane(shape, l)), width);
  return lanes;
}

// How far each lane is from lane 0, modulo 2^64.
static Term differences(const LaneConstants& lanes) {
  Term term;
  for (unsigned l = 0; l < kLanes; ++l) term.lanes[l] = int64_t(uint64_t(lanes[l]) - uint64_t(lanes[0]));
  return term;
}

Shape from_lanes(const LaneConstants& lanes, unsigned width) {
  Shape shape = constant_shape(lanes[0], width);
  const Term term = differences(lanes);
  if (!all_zero(term.lanes)) shape.terms.push_back(term);
  wrap(shape, width);
  return shape;
}

static std::optional<int64_t> saturating_sum(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

bool bounded(const Shape& s) { return s.low != INT64_MIN && s.high != INT64_MAX; }

Shape add(const Shape& a, const Shape& b, unsigned width, bool subtract) {
  if (!a.is_affine() || !b.is_affine()) return Shape::varying();
  Shape sum = Shape::uniform();
  sum.terms = a.terms;
  sum.corrections = a.corrections;
  uint64_t scale = subtract ? ~uint64_t{0} : 1;
  for (const Term& t : b.terms) add_term(sum.terms, t, scale);
  for (const Correction& c : b.corrections) add_correction(sum.corrections, c, scale);
  if (a.constant && b.constant)
    sum.constant = static_cast<int64_t>(uint64_t(*a.constant) + scale * uint64_t(*b.constant));
  sum.trailing_zeros = std::min(a.trailing_zeros, b.trailing_zeros);
  if (bounded(a) && bounded(b)) {
    auto low = saturating_sum(a.low, subtract ? -b.high : b.low);
    auto high = saturating_sum(a.high, subtract ? -b.low : b.high);
    if (low && high) sum.low = *low, sum.high = *high;
  }
  wrap(sum, width);
  return sum;
}

Shape scale(const Shape& a, int64_t factor, unsigned width) {
  if (!a.is_affine()) return Shape::varying();
  Shape result = Shape::uniform();
  if (factor == 0) return constant_shape(0, width);
  for (const Term& t : a.terms) add_term(result.terms, t, uint64_t(factor));
  for (const Correction& c : a.corrections) add_correction(result.corrections, c, uint64_t(factor));
  if (a.constant) result.constant = static_cast<int64_t>(uint64_t(*a.constant) * uint64_t(factor));
  result.trailing_zeros = std::min(width, a.trailing_zeros + unsigned(std::countr_zero(uint64_t(factor))));
  if (bounded(a)) {
    int64_t x, y;
    if (!__builtin_mul_overflow(a.low, factor, &x) && !__builtin_mul_overflow(a.high, factor, &y))
      result.low = std::min(x, y), result.high = std::max(x, y);
  }
  wrap(result, width);
  return result;
}

// affine * a uniform value that is no constant: every plain term becomes one with that factor.
Shape scale_by(const Shape& a, Value* factor, const Shape& factor_shape, unsigned width) {
  if (!plain(a)) return Shape::varying();
  Shape result = Shape::uniform();
  for (const Term& t : a.terms) result.terms.push_back({{factor, Coefficient::Convert::None}, t.lanes});
  result.trailing_zeros = std::min(width, a.trailing_zeros + factor_shape.trailing_zeros);
  wrap(result, width);
  return result;
}

// base and lane offsets occupy different bits, so that bitwise operations act on them separately:
// the base ends in trailing_zeros zeros and every offset is below that.
bool disjoint_bits(const Shape& shape) {
  if (!plain(shape)) return false;
  for (unsigned l = 0; l < kLanes; ++l) {
    int64_t c = plain_lane(shape, l);
    if (c < 0 || (shape.trailing_zeros < 63 && (c >> shape.trailing_zeros) != 0)) return false;
  }
  return true;
}

std::optional<int64_t> evaluate(unsigned opcode, int64_t a, int64_t b, unsigned width) {
  APInt x(width, uint64_t(a)), y(width, uint64_t(b)), r;
  switch (opcode) {
    case Instruction::And:
      r = x & y;
      break;
    case Instruction::Or:
      r = x | y;
      break;
    case Instruction::Xor:
      r = x ^ y;
      break;
    case Instruction::Mul:
      r = x * y;
      break;
    case Instruction::Shl:
      if (y.uge(width)) return std::nullopt;
      r = x.shl(y);
      break;
    case Instruction::LShr:
      if (y.uge(width)) return std::nullopt;
      r = x.lshr(y);
      break;
    case Instruction::AShr:
      if (y.uge(width)) return std::nullopt;
      r = x.ashr(y);
      break;
    case Instruction::UDiv:
      if (y.isZero()) return std::nullopt;
      r = x.udiv(y);
      break;
    case Instruction::URem:
      if (y.isZero()) return std::nullopt;
      r = x.urem(y);
      break;
    case Instruction::SDiv:
      if (y.isZero() || y.isAllOnes()) return std::nullopt;
      r = x.sdiv(y);
      break;
    case Instruction::SRem:
      if (y.isZero() || y.isAllOnes()) return std::nullopt;
      r = x.srem(y);
      break;
    default:
      return std::nullopt;
  }
  return r.getSExtValue();
}

Shape ranged(int64_t low, int64_t high, unsigned trailing_zeros) {
  Shape shape = Shape::uniform();
  shape.low = low;
  shape.high = high;
  shape.trailing_zeros = trailing_zeros;
  return shape;
}

Shape lanes_of(LaneConstants lanes, Shape base) {
  const Term term = differences(lanes);
  if (!all_zero(term.lanes)) base.terms.push_back(term);
  return base;
}

}  // namespace warpwise::simt
