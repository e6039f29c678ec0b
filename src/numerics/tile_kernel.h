// The product of one tile of 16 rows by 8 columns on vectors of 16 lanes: what multiply_fast.h is made of. Compiled
// three times, for AVX-512, AVX2 and SSE2 (tile_*.cpp): GCC and Clang cut the vectors to what the processor has.
//
// Lanes are rows. A column of a (one k, 16 rows) is a vector, an element of b is broadcast, a column of the sums is a
// vector. With the notation of dot.h, all 16 sums of a column at once:
//
//     e     = max over k of exponent(a[k]) + exponent(b[k][j])          integers; zero counts as -8192
//     s     = Σ to_int(a[k] * b[k][j] * 2^(F - e))                       to_int cuts towards zero, as the hardware does
//     d     = s * 2^(e - F), the lower bits of s cut
//
// Products are exact in float (two significands of at most 11 bits) as long as no exponent leaves float's range; a
// column where one could, and one with infinities or NaNs, is left to the plain dot product. Two sums of 32 bits hold
// half of the products each, because 16 products below 2^27 and c do not fit one.
//
// How the lanes of a warp become vectors (product.h has the picture): word r of the lanes 4g + t holds rows g, so
// the words of t = 0, 1, 2, 3 are four vectors over rows, interleaved. The order of the rows in a vector does not
// matter, if only it is the same everywhere; it is the one that costs least (transpose_quads).
#pragma once

#include <cstdint>
#include <cstring>

#include "numerics/dot.h"
#include "numerics/product.h"

namespace warpwise::numerics {

// One tile's registers; word w of lane l at [w * 32 + l].
struct Tile {
  DotRule rule;
  Element a_element, b_element;
  Accumulator c_type, d_type;
  const uint32_t *a, *b, *c;
  uint32_t* d;
  uint16_t k;
  bool saturate;
};

// Exact: the bits of dot(). Quick: products and sums as fused multiply-adds of floats, in the order of k.
enum class Precision : uint8_t { Exact, Quick };

using TileFunction = void (*)(const Tile&, Precision);
void multiply_tile_avx512(const Tile& tile, Precision precision);
void multiply_tile_avx2(const Tile& tile, Precision precision);
void multiply_tile_sse2(const Tile& tile, Precision precision);
TileFunction tile_function();  // the one for this processor (multiply_fast.cpp)

}  // namespace warpwise::numerics

#ifdef WARPWISE_TILE_FUNCTION

namespace warpwise::numerics {
namespace {

typedef float F __attribute__((vector_size(64)));
typedef int32_t I __attribute__((vector_size(64)));
typedef uint32_t U __attribute__((vector_size(64)));
typedef double D __attribute__((vector_size(64)));
typedef int64_t L __attribute__((vector_size(64)));
typedef int32_t HalfI __attribute__((vector_size(32)));
typedef float HalfF __attribute__((vector_size(32)));

constexpr unsigned kRows = 16, kColumns = 8, kMaxProducts = 32;
constexpr int kZero = -8192, kSpecial = 12000;  // exponents of zero, and of infinity and NaN
constexpr int kLowest = -90, kHighest = 100;    // where float arithmetic cannot leave its range

template <class V>
V load(const uint32_t* from) {
  V v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class V>
void store(void* to, V v) {
  std::memcpy(to, &v, sizeof v);
}
inline F float_of(I v) { return (F)v; }
inline I max(I a, I b) { return a > b ? a : b; }
inline bool any(I mask) {
  L wide = (L)mask;
  int64_t bits = 0;
  for (unsigned n = 0; n < 8; ++n) bits |= wide[n];
  return bits != 0;
}

// The lower and the upper eight lanes, and both together.
inline HalfI half_of(I v, unsigned n) {
  return n == 0 ? __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
                : __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
}
inline HalfF half_of(F v, unsigned n) {
  return n == 0 ? __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
                : __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
}
inline F together(HalfF low, HalfF high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

// Four vectors as four times four by four words, each of which is transposed: the words of lanes 4g + t in four vectors
// become a vector for each t. No word leaves its quarter of a vector, so the transposition is cheap on every processor.
// It is its own inverse.
inline void transpose_quads(const U in[4], U out[4]) {
#define LOW(v, w) __builtin_shufflevector(v, w, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH(v, w) __builtin_shufflevector(v, w, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
  const L t0 = (L)LOW(in[0], in[1]), t1 = (L)HIGH(in[0], in[1]), t2 = (L)LOW(in[2], in[3]), t3 = (L)HIGH(in[2], in[3]);
#undef LOW
#undef HIGH
#define LOW(v, w) (U) __builtin_shufflevector(v, w, 0, 8, 2, 10, 4, 12, 6, 14)
#define HIGH(v, w) (U) __builtin_shufflevector(v, w, 1, 9, 3, 11, 5, 13, 7, 15)
  out[0] = LOW(t0, t2), out[1] = HIGH(t0, t2), out[2] = LOW(t1, t3), out[3] = HIGH(t1, t3);
#undef LOW
#undef HIGH
}

// Words of two registers (rows 0 to 7 and 8 to 15) of lanes 4g + t: out[t] over the rows, row r at place_of_row(r).
inline void over_rows(const uint32_t* low, const uint32_t* high, U out[4]) {
  const U in[4] = {load<U>(low), load<U>(low + 16), load<U>(high), load<U>(high + 16)};
  transpose_quads(in, out);
}
constexpr unsigned place_of_row(unsigned row) { return row % 4 * 4 + row / 4; }

// The opposite conversion.
inline void over_lanes(const U in[4], uint32_t* low, uint32_t* high) {
  U out[4];
  transpose_quads(in, out);
  store(low, out[0]), store(low + 16, out[1]), store(high, out[2]), store(high + 16, out[3]);
}

// --- decoding -----------------------------------------------------------------------------------------

// Element `index` of each word as a float. All exponents of the narrow formats become normal ones of float.
inline F decode_words(Element element, U words, unsigned index) {
  auto widen = [](U magnitude, U sign, unsigned up, float scale, U special) {
    const F value = (F)(magnitude << up) * scale;
    return (F)((U)value | sign | (special & 0x7f800000u) | ((U)(special != 0) & (magnitude << up)));
  };
  switch (element) {
    case Element::BF16:
      return (F)(index ? words & 0xffff0000u : words << 16);
    case Element::TF32:
      return (F)(words & 0xffffe000u);
    case Element::F16: {
      const U h = words >> (16 * index), magnitude = h & 0x7fff;
      return widen(magnitude, (h & 0x8000) << 16, 13, 0x1p112f, (U)((h & 0x7c00) == 0x7c00));
    }
    case Element::E5M2: {
      const U h = words >> (8 * index), magnitude = h & 0x7f;
      return widen(magnitude, (h & 0x80) << 24, 21, 0x1p112f, (U)((h & 0x7c) == 0x7c));
    }
    // Formats of fewer bits, each in the low bits of a byte: no infinities, no NaNs.
    case Element::E2M3:
    case Element::E3M2: {
      const U h = words >> (8 * index);
      const bool wide = element == Element::E3M2;
      return widen(h & 0x1f, (h & 0x20) << 26, wide ? 21 : 20, wide ? 0x1p124f : 0x1p126f, U{});
    }
    case Element::E2M1: {
      const U h = words >> (8 * index);
      return widen(h & 7, (h & 8) << 28, 22, 0x1p126f, U{});
    }
    default: {  // E4M3
      const U h = words >> (8 * index), magnitude = h & 0x7f;
      return widen(magnitude, (h & 0x80) << 24, 20, 0x1p120f, (U)(magnitude == 0x7f));
    }
  }
}

inline I exponents(F value, int lowest) {
  const I bits = (I)value, biased = bits >> 23 & 255;
  I exponent = max(biased - 127, I{} + lowest);
  exponent = (bits & 0x7fffffff) == 0 ? I{} + kZero : exponent;
  return biased == 255 ? I{} + kSpecial : exponent;
}

// Operands of a tile in the order in which the products are added.
struct Operands {
  alignas(64) float a[kMaxProducts][kRows];
  alignas(64) int32_t a_exponents[kMaxProducts][kRows];
  // b keeps the order of its words: element (r, i) of lane 4j + t at [(r * E + i) * 32 + 4j + t].
  alignas(64) float b[kMaxProducts * kColumns];
  alignas(64) int32_t b_exponents[kMaxProducts * kColumns];
  uint8_t b_place[kMaxProducts];  // of product p in column 0; column j is 4j further
};

template <unsigned E>
void decode_operands(const Tile& tile, bool alternate, bool exact, Operands& to) {
  const unsigned blocks = tile.k / (4 * E);
  // In the f16 method elements of 8 bits are added as the f16 that they become: an H200 aligns e5m2's 2^-16 as if it
  // were 2^-14.
  const int a_lowest = format_of(alternate ? Element::F16 : tile.a_element).lowest_exponent();
  const int b_lowest = format_of(alternate ? Element::F16 : tile.b_element).lowest_exponent();
  for (unsigned r = 0; r < blocks; ++r) {
    U words[4];
    over_rows(tile.a + 2 * r * 32, tile.a + (2 * r + 1) * 32, words);
    for (unsigned t = 0; t < 4; ++t)
      for (unsigned i = 0; i < E; ++i) {
        // In the order of k; where f16 steps alternate, the pairs (2, 3) of each four come after all pairs (0, 1).
        const unsigned p = alternate ? i / 2 * (tile.k / 2u) + (r * 4 + t) * 2 + i % 2 : (r * 4 + t) * E + i;
        const F value = decode_words(tile.a_element, words[t], i);
        store(to.a[p], value);
        if (exact) store(to.a_exponents[p], exponents(value, a_lowest));
        to.b_place[p] = uint8_t((r * E + i) * 32 + t);
      }
    for (unsigned half = 0; half < 2; ++half)
      for (unsigned i = 0; i < E; ++i) {
        const unsigned at = (r * E + i) * 32 + half * 16;
        const F value = decode_words(tile.b_element, load<U>(tile.b + r * 32 + half * 16), i);
        store(to.b + at, value);
        if (exact) store(to.b_exponents + at, exponents(value, b_lowest));
      }
  }
}

// --- sums ---------------------------------------------------------------------------------------------

// Column j of c as floats: word pairs of lanes 4g + t hold columns 2t and 2t + 1.
inline void read_sums(const Tile& tile, F c[kColumns]) {
  U words[4];
  if (tile.c_type == Accumulator::F16) {
    over_rows(tile.c, tile.c + 32, words);
    for (unsigned j = 0; j < kColumns; ++j) c[j] = decode_words(Element::F16, words[j / 2], j % 2);
    return;
  }
  for (unsigned odd = 0; odd < 2; ++odd) {
    over_rows(tile.c + odd * 32, tile.c + (odd + 2) * 32, words);
    for (unsigned t = 0; t < 4; ++t) c[2 * t + odd] = (F)words[t];
  }
}

inline void write_sums(const Tile& tile, const U d[kColumns]) {
  U words[4];
  if (tile.d_type == Accumulator::F16) {
    for (unsigned t = 0; t < 4; ++t) words[t] = d[2 * t] | d[2 * t + 1] << 16;
    return over_lanes(words, tile.d, tile.d + 32);
  }
  for (unsigned odd = 0; odd < 2; ++odd) {
    for (unsigned t = 0; t < 4; ++t) words[t] = d[2 * t + odd];
    over_lanes(words, tile.d + odd * 32, tile.d + (odd + 2) * 32);
  }
}

// The f16 bits of floats that are numbers of that format (65536 stands for infinity).
inline U bits_of_f16(F value) {
  const U bits = (U)value, magnitude = (U)((F)(bits & 0x7fffffff) * 0x1p-112f) >> 13;
  const U special = (U)((I)(bits & 0x7fffffff) > 0x7f800000) & 0x7fff;
  return (magnitude < 0x7c00 ? magnitude : U{} + 0x7c00) | special | (special == 0 ? bits >> 16 & 0x8000 : U{});
}
// To the nearest even f16, by adding a number whose last place is that of f16: there are no infinities among the
// results yet.
inline D nearest_f16(D x) {
  const L exponent = (L)x >> 52 & 0x7ff, lowest = L{} + (1023 - 14);
  const D magic = (D)(((exponent > lowest ? exponent : lowest) + 42) << 52 | int64_t{1} << 51);
  return (x + magic) - magic;
}
inline F round_to_f16(F value) {
  return together(__builtin_convertvector(nearest_f16(__builtin_convertvector(half_of(value, 0), D)), HalfF),
                  __builtin_convertvector(nearest_f16(__builtin_convertvector(half_of(value, 1), D)), HalfF));
}

// (s + t) * 2^(exponent - F), rounded: s and t together may need 33 bits, a double holds them.
inline F finish(const DotRule& rule, bool to_half, I s, I t, I exponent) {
  const F scale = float_of((exponent - rule.fraction_bits + 127) << 23);
  HalfF parts[2];
  for (unsigned n = 0; n < 2; ++n) {
    D sum = __builtin_convertvector(half_of(s, n), D) + __builtin_convertvector(half_of(t, n), D);
    if (to_half) {
      sum = nearest_f16(sum * __builtin_convertvector(half_of(scale, n), D));
      sum = sum >= 65520.0 ? D{} + __builtin_inf() : sum <= -65520.0 ? D{} - __builtin_inf() : sum;
    } else {
      sum = (D)((L)sum & ~((int64_t{1} << (52 - rule.result_bits)) - 1));
    }
    parts[n] = __builtin_convertvector(sum, HalfF);
  }
  F result = together(parts[0], parts[1]);
  if (!to_half) result *= scale;
  return (F)((U)result & (U)(result != 0));  // never -0
}

// One step for the columns of `todo`: products [first, first + count) and c, rounded once. Columns that this step
// cannot compute are removed from `todo`.
template <unsigned Count>
inline void add_at_once(const DotRule& rule, bool to_half, const Operands& o, unsigned first, F c[kColumns],
                        unsigned& todo) {
  const int c_lowest = to_half ? -14 : -126;
  I largest[kColumns];
  for (unsigned j = 0; j < kColumns; ++j) largest[j] = exponents(c[j], c_lowest);
  for (unsigned p = first; p < first + Count; ++p) {
    const I a = load<I>(reinterpret_cast<const uint32_t*>(o.a_exponents[p]));
    const int32_t* b = o.b_exponents + o.b_place[p];
    for (unsigned j = 0; j < kColumns; ++j) largest[j] = max(largest[j], a + b[4 * j]);
  }
  I outside[kColumns], somewhere{};
  for (unsigned j = 0; j < kColumns; ++j) {
    outside[j] = (largest[j] > kHighest) | ((largest[j] < kLowest) & (largest[j] > -1000));
    somewhere |= outside[j];
  }
  if (any(somewhere))
    for (unsigned j = 0; j < kColumns; ++j)
      if (any(outside[j])) todo &= ~(1u << j);
  for (unsigned j = 0; j < kColumns; ++j) {
    if (!(todo >> j & 1)) continue;
    const I exponent = max(largest[j], I{} + kLowest);
    const F scale = float_of((rule.fraction_bits - exponent + 127) << 23);
    I s = __builtin_convertvector(c[j] * scale, I), t{};
    const float* b = o.b + 4 * j;
    for (unsigned p = first; p < first + Count; p += 2) {
      s += __builtin_convertvector(load<F>(reinterpret_cast<const uint32_t*>(o.a[p])) * b[o.b_place[p]] * scale, I);
      t += __builtin_convertvector(load<F>(reinterpret_cast<const uint32_t*>(o.a[p + 1])) * b[o.b_place[p + 1]] * scale,
                                   I);
    }
    c[j] = finish(rule, to_half, s, t, exponent);
  }
}

template <unsigned Count>
void add_products(const Tile& tile, const Operands& o, F c[kColumns], unsigned& todo) {
  const bool to_half = tile.d_type == Accumulator::F16;
  if (tile.rule.method == DotMethod::AtOnce) {
    for (unsigned first = 0; first < tile.k; first += Count) add_at_once<Count>(tile.rule, to_half, o, first, c, todo);
    return;
  }
  F partial[kColumns] = {};
  for (unsigned first = 0; first < tile.k; first += Count)
    add_at_once<Count>(tile.rule, to_half, o, first, partial, todo);
  for (unsigned j = 0; j < kColumns; ++j) {
    const I bits = (I)c[j];
    if (any((bits >> 23 & 255) == 255)) todo &= ~(1u << j);
    c[j] = partial[j] + c[j];
    if (to_half) c[j] = round_to_f16(c[j]);
  }
}

// A column by plain dot products, from the registers.
void plain_column(const Tile& tile, unsigned column, U& out) {
  float x[kMaxProducts], y[kMaxProducts];
  const unsigned bits = format_of(tile.a_element).bits, elements = 32 / bits;
  const uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  const Sum sum = tile.d_type == Accumulator::F16 ? Sum::F16 : Sum::F32;
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned k = 0; k < tile.k; ++k) {
      const unsigned block = k / (4 * elements), lane = k / elements % 4, shift = k % elements * bits;
      x[k] = decode(tile.a_element, tile.a[(2 * block + row / 8) * 32 + row % 8 * 4 + lane] >> shift & mask);
      y[k] = decode(tile.b_element, tile.b[block * 32 + column * 4 + lane] >> shift & mask);
    }
    const unsigned lane = row % 8 * 4 + column / 2;
    const bool half = tile.c_type == Accumulator::F16;
    const uint32_t word =
        half ? tile.c[row / 8 * 32 + lane] >> (column % 2 * 16) : tile.c[(row / 8 * 2 + column % 2) * 32 + lane];
    float c;
    if (half)
      c = decode(Element::F16, word & 0xffff);
    else
      std::memcpy(&c, &word, 4);
    out[place_of_row(row)] = result_bits(sum, dot(tile.rule, tile.a_element, tile.b_element, sum, tile.k, x, y, c));
  }
}

// The fast mode, for a constant depth: only decoding and multiply-adds.
template <unsigned E, unsigned Depth>
void multiply_quickly(const Tile& tile) {
  alignas(64) float b[Depth / E * 8 * E];  // as Operands::b
  for (unsigned r = 0; r < Depth / (4 * E); ++r)
    for (unsigned half = 0; half < 2; ++half)
      for (unsigned i = 0; i < E; ++i)
        store(b + (r * E + i) * 32 + half * 16, decode_words(tile.b_element, load<U>(tile.b + r * 32 + half * 16), i));
  F c[kColumns];
  read_sums(tile, c);
#pragma GCC unroll 4
  for (unsigned r = 0; r < Depth / (4 * E); ++r) {
    U words[4];
    over_rows(tile.a + 2 * r * 32, tile.a + (2 * r + 1) * 32, words);
#pragma GCC unroll 4
    for (unsigned t = 0; t < 4; ++t)
#pragma GCC unroll 4
      for (unsigned i = 0; i < E; ++i) {
        const F a = decode_words(tile.a_element, words[t], i);
#pragma GCC unroll 8
        for (unsigned j = 0; j < kColumns; ++j) c[j] += a * b[(r * E + i) * 32 + 4 * j + t];
      }
  }
  U d[kColumns];
  for (unsigned j = 0; j < kColumns; ++j) {
    if (tile.d_type == Accumulator::F16)
      d[j] = bits_of_f16(round_to_f16(c[j]));
    else
      d[j] = (U)(c[j] == c[j] ? (I)c[j] : I{} + int32_t(kNanF32));
  }
  write_sums(tile, d);
}

template <unsigned E>
void multiply_floats(const Tile& tile, Precision precision) {
  if (precision == Precision::Quick) {
    if (tile.k == 4 * E) return multiply_quickly<E, 4 * E>(tile);
    if (tile.k == 8 * E) return multiply_quickly<E, 8 * E>(tile);
  }
  Operands o;
  const bool exact = precision == Precision::Exact;
  decode_operands<E>(tile, exact && tile.rule.method == DotMethod::AsHalves, exact, o);
  F c[kColumns];
  read_sums(tile, c);
  unsigned todo = (1u << kColumns) - 1;
  if (exact) {
    switch (tile.rule.method == DotMethod::AsHalves ? tile.k / 2
            : tile.rule.group < tile.k              ? tile.rule.group
                                                    : tile.k) {
      case 4:
        add_products<4>(tile, o, c, todo);
        break;
      case 8:
        add_products<8>(tile, o, c, todo);
        break;
      case 16:
        add_products<16>(tile, o, c, todo);
        break;
      case 32:
        add_products<32>(tile, o, c, todo);
        break;
      default:
        todo = 0;
        break;
    }
  } else {
    for (unsigned p = 0; p < tile.k; ++p) {
      const F a = load<F>(reinterpret_cast<const uint32_t*>(o.a[p]));
      const float* b = o.b + o.b_place[p];
      for (unsigned j = 0; j < kColumns; ++j) c[j] += a * b[4 * j];
    }
    if (tile.d_type == Accumulator::F16)
      for (unsigned j = 0; j < kColumns; ++j) c[j] = round_to_f16(c[j]);
  }
  U d[kColumns];
  for (unsigned j = 0; j < kColumns; ++j) {
    if (todo >> j & 1)
      d[j] = tile.d_type == Accumulator::F16 ? bits_of_f16(c[j]) : (U)(c[j] == c[j] ? (I)c[j] : I{} + int32_t(kNanF32));
    else
      plain_column(tile, j, d[j]);
  }
  write_sums(tile, d);
}

// --- integers -----------------------------------------------------------------------------------------

inline I decode_integers(Element element, U words, unsigned index) {
  switch (element) {
    case Element::S8:
      return (I)(words << (24 - 8 * index)) >> 24;
    case Element::U8:
      return (I)(words >> (8 * index) & 0xff);
    case Element::S4:
      return (I)(words << (28 - 4 * index)) >> 28;
    default:
      return (I)(words >> (4 * index) & 0xf);
  }
}

// No product of a tile leaves 23 bits (256 elements of 8 bits at most), so only c can make a sum leave 32.
template <unsigned E>
void multiply_integers(const Tile& tile) {
  F c[kColumns];
  read_sums(tile, c);
  I sums[kColumns] = {};
  for (unsigned r = 0; r < tile.k / (4 * E); ++r) {
    U words[4];
    over_rows(tile.a + 2 * r * 32, tile.a + (2 * r + 1) * 32, words);
    alignas(64) int32_t b[E * 32];
    for (unsigned half = 0; half < 2; ++half)
      for (unsigned i = 0; i < E; ++i)
        store(b + i * 32 + half * 16, decode_integers(tile.b_element, load<U>(tile.b + r * 32 + half * 16), i));
    for (unsigned t = 0; t < 4; ++t)
      for (unsigned i = 0; i < E; ++i) {
        const I a = decode_integers(tile.a_element, words[t], i);
        for (unsigned j = 0; j < kColumns; ++j) sums[j] += a * b[i * 32 + 4 * j + t];
      }
  }
  U d[kColumns];
  for (unsigned j = 0; j < kColumns; ++j) {
    const U sum = (U)c[j] + (U)sums[j];
    const I overflow = (~((I)c[j] ^ sums[j]) & ((I)c[j] ^ (I)sum)) < 0;
    d[j] = tile.saturate ? (overflow ? (U)((I)c[j] < 0) ^ 0x7fffffffu : sum) : sum;
  }
  write_sums(tile, d);
}

}  // namespace

void WARPWISE_TILE_FUNCTION(const Tile& tile, Precision precision) {
  switch (tile.a_element) {
    case Element::TF32:
      return multiply_floats<1>(tile, precision);
    case Element::F16:
    case Element::BF16:
      return multiply_floats<2>(tile, precision);
    case Element::S8:
    case Element::U8:
      return multiply_integers<4>(tile);
    case Element::S4:
    case Element::U4:
      return multiply_integers<8>(tile);
    default:
      return multiply_floats<4>(tile, precision);
  }
}

}  // namespace warpwise::numerics

#endif
