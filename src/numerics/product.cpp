#include "numerics/product.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

#include "numerics/fragments.h"
#include "numerics/host_rounding.h"

namespace warpwise::numerics {

// --- the descriptor ---------------------------------------------------------------------------------

uint64_t Product::pack() const {
  uint64_t packed = 0;
  unsigned at = 0;
  auto put = [&](uint64_t value, unsigned bits) { packed |= value << at, at += bits; };
  put(m, 6), put(n, 6), put(k, 9), put(uint64_t(a), 4), put(uint64_t(b), 4), put(uint64_t(c), 2), put(uint64_t(d), 2);
  put(quad_pairs, 1), put(a_by_column, 1), put(b_by_row, 1), put(sparse, 1), put(selector, 2), put(saturate, 1),
      put(exclusive_or, 1), put(rounding, 2);
  put(scale_vectors, 3), put(scales_are_e4m3, 1);
  return packed;
}

// --- one dot product ----------------------------------------------------------------------------------

namespace {

constexpr unsigned kMaxK = 256;

struct Registers {
  const uint32_t* words;
  uint64_t element(Element type, Place at) const {
    const unsigned bits = format_of(type).bits;
    if (bits == 64) return words[at.reg * 2 * 32 + at.lane] | uint64_t{words[(at.reg * 2 + 1) * 32 + at.lane]} << 32;
    const uint32_t word = words[at.reg * 32 + at.lane];
    return bits == 32 ? word : word >> (at.index * bits) & ((1u << bits) - 1);
  }
};

int integer(Element type, uint64_t bits) {
  switch (type) {
    case Element::S8:
      return static_cast<int8_t>(bits);
    case Element::S4:
      return static_cast<int>(bits ^ 8) - 8;
    default:
      return static_cast<int>(bits);
  }
}

int host_rounding(unsigned rounding) {
  constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  return kModes[rounding];
}

// Of several NaNs the first of b, c and a is returned, quieted (seen on an H200; the manual leaves it open).
double fma_with_nans(double a, double b, double c) {
  constexpr uint64_t kQuiet = uint64_t{1} << 51, kInvalid = 0xfff8000000000000;
  for (double x : {b, c, a})
    if (std::isnan(x)) return std::bit_cast<double>(std::bit_cast<uint64_t>(x) | kQuiet);
  const double result = std::fma(a, b, c);
  return std::isnan(result) ? std::bit_cast<double>(kInvalid) : result;
}

// f64 is a chain of fused multiply-adds in the order of k.
uint64_t dot_f64(const Product& p, const uint64_t* a, const uint64_t* b, uint64_t c) {
  const auto chain = [&] {
    double sum = std::bit_cast<double>(c);
    for (unsigned i = 0; i < p.k; ++i)
      sum = fma_with_nans(std::bit_cast<double>(a[i]), std::bit_cast<double>(b[i]), sum);
    return sum;
  };
  return std::bit_cast<uint64_t>(p.rounding ? with_host_rounding(host_rounding(p.rounding), chain) : chain());
}

uint64_t dot_integer(const Product& p, unsigned count, const uint64_t* a, const uint64_t* b, uint64_t c) {
  int64_t sum = static_cast<int32_t>(c);
  for (unsigned i = 0; i < count; ++i) {
    if (p.a == Element::B1)
      sum += static_cast<int64_t>(p.exclusive_or ? a[i] ^ b[i] : a[i] & b[i]);
    else
      sum += integer(p.a, a[i]) * integer(p.b, b[i]);
  }
  if (p.saturate)
    sum = std::min<int64_t>(std::max<int64_t>(sum, std::numeric_limits<int32_t>::min()),
                            std::numeric_limits<int32_t>::max());
  return static_cast<uint32_t>(sum);
}

// An e2m1 in a byte of its own stands in the middle (PTX ISA 9.7.14.5.14).
float number(Element element, uint64_t bits) {
  return decode(element, static_cast<uint32_t>(element == Element::E2M1 ? bits >> 2 : bits));
}

constexpr unsigned kGroup = 16;  // products of packed e2m1 that are added exactly

uint64_t dot_numbers(const DotRule& rule, const Product& p, unsigned count, const float* x, const float* y, uint64_t c,
                     const Scales* scales) {
  const float start = p.c == Accumulator::F16 ? decode(Element::F16, static_cast<uint32_t>(c))
                                              : std::bit_cast<float>(static_cast<uint32_t>(c));
  const Sum sum = p.d == Accumulator::F16 ? Sum::F16 : Sum::F32;
  if (!scales) return result_bits(sum, dot(rule, p.a, p.b, sum, count, x, y, start));
  return result_bits(sum, p.a == Element::E2M1Packed ? dot_of_groups(rule, kGroup, count, x, y, *scales, start)
                                                     : dot_scaled(rule, p.a, p.b, count, x, y, *scales, start));
}

uint64_t dot_float(const DotRule& rule, const Product& p, unsigned count, const uint64_t* a, const uint64_t* b,
                   uint64_t c) {
  float x[kMaxK], y[kMaxK];
  for (unsigned i = 0; i < count; ++i) x[i] = number(p.a, a[i]), y[i] = number(p.b, b[i]);
  return dot_numbers(rule, p, count, x, y, c, nullptr);
}

// `a` and `b` are elements as stored in registers.
uint64_t dot_bits(const DotRule& rule, const Product& p, unsigned count, const uint64_t* a, const uint64_t* b,
                  uint64_t c) {
  if (p.a == Element::F64) return dot_f64(p, a, b, c);
  return is_small_float(p.a) ? dot_float(rule, p, count, a, b, c) : dot_integer(p, count, a, b, c);
}

// --- one tile -----------------------------------------------------------------------------------------

uint64_t read_sum(Accumulator type, Registers from, bool quad_pairs, unsigned quad, unsigned row, unsigned column) {
  const bool half = type == Accumulator::F16;
  const Place at = quad_pairs ? sum_in_quad_pair(quad, half, row, column)
                   : half     ? place_in_half_sum(row, column)
                              : place_in_sum(row, column);
  return from.element(half ? Element::F16 : type == Accumulator::F64 ? Element::F64 : Element::TF32, at);
}

void write_sum(Accumulator type, uint32_t* words, bool quad_pairs, unsigned quad, unsigned row, unsigned column,
               uint64_t value) {
  const bool half = type == Accumulator::F16;
  const Place at = quad_pairs ? sum_in_quad_pair(quad, half, row, column)
                   : half     ? place_in_half_sum(row, column)
                              : place_in_sum(row, column);
  if (half) {
    uint32_t& word = words[at.reg * 32 + at.lane];
    word = at.index ? (word & 0xffff) | static_cast<uint32_t>(value) << 16
                    : (word & 0xffff0000) | static_cast<uint32_t>(value);
  } else if (type == Accumulator::F64) {
    words[at.reg * 2 * 32 + at.lane] = static_cast<uint32_t>(value),
                            words[(at.reg * 2 + 1) * 32 + at.lane] = static_cast<uint32_t>(value >> 32);
  } else {
    words[at.reg * 32 + at.lane] = static_cast<uint32_t>(value);
  }
}

// The scales of a row of a or of a column of b, from the word of the lane that holds them.
struct ScaleBytes {
  uint8_t bytes[4] = {};
  ScaleBytes(uint32_t word, unsigned first) {
    for (unsigned n = 0; n < 4; ++n) bytes[n] = static_cast<uint8_t>(word >> ((first + n) % 4 * 8));
  }
};

void multiply_scaled_tile(const DotRule& rule, const Product& p, Registers a, Registers b, Registers c,
                          const uint32_t* metadata, const uint32_t* scales, uint32_t* d) {
  const unsigned elements = per_register(p.a), count = p.sparse ? p.k / 2u : p.k;
  const ScaleSelectors selectors = ScaleSelectors::unpack(scales[2 * 32]);
  constexpr unsigned kRows = 16, kColumns = 8, kMost = 128;  // k of a sparse product of packed e2m1
  float of_rows[kRows][kMost], of_columns[kColumns][kMost], chosen[kMost];
  for (unsigned i = 0; i < count; ++i)
    for (unsigned row = 0; row < kRows; ++row)
      of_rows[row][i] = number(p.a, a.element(p.a, place_in_tile(kRows, elements, row, i)));
  for (unsigned k = 0; k < p.k; ++k)
    for (unsigned column = 0; column < kColumns; ++column)
      of_columns[column][k] = number(p.b, b.element(p.b, place_in_tile(8, elements, column, k)));
  for (unsigned row = 0; row < kRows; ++row) {
    const ScaleBytes of_a(scales[row % 8 * 4 + selectors.thread_a % 2 * 2 + row / 8], selectors.byte_a);
    for (unsigned column = 0; column < kColumns; ++column) {
      const ScaleBytes of_b(scales[32 + column * 4 + selectors.thread_b % 4], selectors.byte_b);
      const float* y = of_columns[column];
      if (p.sparse) {
        for (unsigned i = 0; i < count; ++i) chosen[i] = y[kept_k(p.a, p.k, p.selector, metadata, row, i)];
        y = chosen;
      }
      const Scales both{p.scales_are_e4m3 ? Element::E4M3 : Element::UE8M0, of_a.bytes, of_b.bytes,
                        count / p.scale_vectors};
      write_sum(p.d, d, false, 0, row, column,
                dot_numbers(rule, p, count, of_rows[row], y, read_sum(p.c, c, false, 0, row, column), &both));
    }
  }
}

void multiply_tile(const DotRule& rule, const Product& p, unsigned rows, Registers a, Registers b, Registers c,
                   const uint32_t* metadata, uint32_t* d) {
  const unsigned elements = per_register(p.a), count = p.sparse ? p.k / 2u : p.k;
  uint64_t x[kMaxK], y[kMaxK];
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      for (unsigned i = 0; i < count; ++i) {
        const unsigned k = p.sparse ? kept_k(p.a, p.k, p.selector, metadata, row, i) : i;
        x[i] = a.element(p.a, place_in_tile(rows, elements, row, i));
        y[i] = b.element(p.b, place_in_tile(8, elements, column, k));
      }
      write_sum(p.d, d, false, 0, row, column, dot_bits(rule, p, count, x, y, read_sum(p.c, c, false, 0, row, column)));
    }
}

void multiply_quad_pairs(const DotRule& rule, const Product& p, Registers a, Registers b, Registers c, uint32_t* d) {
  for (unsigned quad = 0; quad < 4; ++quad)
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned column = 0; column < 8; ++column) {
        uint64_t x[4], y[4];
        for (unsigned k = 0; k < 4; ++k) {
          x[k] = a.element(p.a, place_in_quad_pair(quad, !p.a_by_column, row, k));
          y[k] = b.element(p.b, place_in_quad_pair(quad, !p.b_by_row, column, k));
        }
        write_sum(p.d, d, true, quad, row, column,
                  dot_bits(rule, p, 4, x, y, read_sum(p.c, c, true, quad, row, column)));
      }
}

}  // namespace

void multiply(unsigned capability, TensorUnit unit, const Product& p, const uint32_t* inputs, uint32_t* outputs) {
  const uint32_t *a = inputs, *b = a + p.a_words() * 32, *c = b + p.b_words() * 32, *metadata = c + p.c_words() * 32;
  const DotRule rule = dot_rule(capability, p.quad_pairs ? TensorUnit::QuadPairs : unit, p.a);
  if (p.quad_pairs) return multiply_quad_pairs(rule, p, {a}, {b}, {c}, outputs);
  if (p.scale_vectors != 0) {  // one tile; packed ones are added as in tcgen05
    const DotRule scaled = p.a == Element::E2M1Packed ? dot_rule(capability, TensorUnit::Tcgen05Groups, p.a) : rule;
    return multiply_scaled_tile(scaled, p, {a}, {b}, {c}, metadata, metadata + p.metadata_words() * 32, outputs);
  }
  if (p.m == 8 && p.n == 32) {  // the transpose of m32n8
    Product other = p;
    other.m = 32, other.n = 8;
    std::swap(other.a, other.b);
    std::swap(a, b);
    const unsigned a_words = other.a_words() / 2, c_words = other.c_words() / 2, d_words = other.d_words() / 2;
    for (unsigned block = 0; block < 2; ++block)
      multiply_tile(rule, other, 16, {a + block * a_words * 32}, {b}, {c + block * c_words * 32}, nullptr,
                    outputs + block * d_words * 32);
    return;
  }
  const unsigned rows = p.m == 8 ? 8 : 16, row_blocks = p.m / rows, column_blocks = p.n / 8;
  const unsigned a_words = p.a_words() / row_blocks, b_words = p.b_words() / column_blocks;
  const unsigned blocks = row_blocks * column_blocks, c_words = p.c_words() / blocks, d_words = p.d_words() / blocks;
  for (unsigned block = 0; block < blocks; ++block) {
    const unsigned i = block / column_blocks, j = block % column_blocks;
    multiply_tile(rule, p, rows, {a + i * a_words * 32}, {b + j * b_words * 32}, {c + block * c_words * 32}, metadata,
                  outputs + block * d_words * 32);
  }
}

}  // namespace warpwise::numerics
