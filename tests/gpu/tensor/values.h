// The operands that tensor instructions are judged with: a function of the row's name and a count alone, so that the
// program beside the GPU and the comparer make the same ones. Random bits say little about a sum that is aligned and
// truncated; each fragment therefore draws its elements from one kind of trouble (Trouble).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpwise::gpu::tensor {

enum class Values { F16, BF16, TF32, E4M3, E5M2, F32, F64, Int, Wide };

constexpr unsigned bits_of(Values v) {
  switch (v) {
    case Values::F16:
    case Values::BF16:
      return 16;
    case Values::E4M3:
    case Values::E5M2:
      return 8;
    case Values::F64:
      return 64;
    default:
      return 32;
  }
}

struct Row {
  std::string_view name, instruction;
  unsigned a_registers, b_registers, c_registers, d_registers;
  Values a, b, c, d;
  int selector;
};

inline constexpr Row kRows[] = {
#define ROW(name, instruction, a, b, c, d, va, vb, vc, vd, selector) \
  {#name, instruction, a, b, c, d, Values::va, Values::vb, Values::vc, Values::vd, selector},
#include "gpu/tensor/rows.inc"
#undef ROW
};

// splitmix64 (Steele, Lea and Flood: Fast splittable pseudorandom number generators, 2014).
struct Random {
  uint64_t state;
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  unsigned below(unsigned n) { return static_cast<unsigned>((next() >> 32) * n >> 32); }
  int between(int lowest, int highest) {
    return lowest + static_cast<int>(below(static_cast<unsigned>(highest - lowest + 1)));
  }
};

enum Trouble {
  Bits,        // any bits at all
  Near,        // exponents close together: every product counts, carries
  Spread,      // exponents far apart: alignment cuts
  Sparse,      // mostly zeros: which exponent has a zero?
  Small,       // subnormal numbers among others
  Cancelling,  // few significant bits, sums near zero
  Large,       // overflow
  Special,     // infinities and NaNs among ordinary numbers
  Wide,        // exponents over a wide range
  Tiny,        // products around the smallest float
  kTroubles,
};

struct FloatFormat {
  int exponent_bits, fraction_bits;
};
constexpr FloatFormat format_of(Values v) {
  switch (v) {
    case Values::F16:
      return {5, 10};
    case Values::BF16:
      return {8, 7};
    case Values::E4M3:
      return {4, 3};
    case Values::E5M2:
      return {5, 2};
    case Values::F64:
      return {11, 52};
    default:
      return {8, 23};  // tf32 too: its low 13 bits are not read, so they may hold anything
  }
}

inline uint64_t draw(Random& random, Values values, int trouble, bool accumulator) {
  if (values == Values::Int) return random.next();
  if (values == Values::Wide)
    return random.below(2) ? 0x7fffffff - random.below(30000) : 0x80000000u + random.below(30000);
  const FloatFormat f = format_of(values);
  const int bias = (1 << (f.exponent_bits - 1)) - 1, top = (1 << f.exponent_bits) - 1;
  const uint64_t sign = random.next() & 1, raw = random.next();
  uint64_t fraction = raw & ((uint64_t{1} << f.fraction_bits) - 1);
  int exponent = bias;
  const int wide = accumulator ? 2 : 1;
  switch (trouble) {
    case Bits:
      exponent = static_cast<int>(raw >> 54) & top;
      break;
    case Near:
      exponent = bias + random.between(-3 * wide, 3 * wide);
      break;
    case Spread:
      exponent = bias + random.between(-12 * wide, 12 * wide);
      break;
    case Sparse:
      if (random.below(10) < 6) return sign << (f.exponent_bits + f.fraction_bits);
      exponent = bias + random.between(-8 * wide, 8 * wide);
      break;
    case Small:
      exponent = random.below(4) ? random.between(0, 1) : random.between(0, bias);
      break;
    case Cancelling:
      exponent = bias + random.between(-1, 1);
      fraction = fraction >> (f.fraction_bits - 2) << (f.fraction_bits - 2);
      if (accumulator && random.below(2)) exponent -= random.between(0, 30);
      break;
    case Large:
      exponent = top - random.between(1, 3);
      if (f.exponent_bits == 8 && !accumulator) exponent = bias + random.between(60, 66);
      break;
    case Special:
      exponent = bias + random.between(-3, 3);
      if (random.below(40) == 0) exponent = top, fraction = random.below(2) ? 0 : fraction;
      break;
    case Wide:
      exponent = bias + random.between(-30 * wide, 30 * wide);
      break;
    case Tiny:
      exponent = accumulator            ? random.between(0, 12)
                 : f.exponent_bits == 8 ? bias - 66 + random.between(-8, 8)
                                        : random.between(0, 3);
      break;
  }
  if (accumulator && random.below(4) == 0) return sign << (f.exponent_bits + f.fraction_bits);
  if (exponent < 0) exponent = 0;
  if (trouble != Bits && trouble != Special && exponent >= top) exponent = values == Values::E4M3 ? top : top - 1;
  if (values == Values::E4M3 && trouble != Bits && trouble != Special && exponent == top && fraction == 7) fraction = 6;
  return sign << (f.exponent_bits + f.fraction_bits) | static_cast<uint64_t>(exponent) << f.fraction_bits | fraction;
}

// One fragment's registers of 32 bits (f64: two each): word w of lane l at [w * 32 + l].
struct Fragment {
  std::vector<uint32_t> a, b, c, metadata;
};

inline Fragment fragment(const Row& row, uint64_t seed, unsigned index) {
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (char ch : row.name) hash = (hash ^ static_cast<unsigned char>(ch)) * 0x100000001b3u;
  Random random{hash + seed * 0x9e3779b97f4a7c15u + index * 0xd1342543de82ef95u};
  const int trouble = static_cast<int>(index % kTroubles);
  auto fill = [&](unsigned registers, Values values, bool accumulator) {
    const unsigned words = registers * (values == Values::F64 ? 2 : 1);
    std::vector<uint32_t> out(words * 32);
    for (unsigned r = 0; r < registers; ++r)
      for (unsigned lane = 0; lane < 32; ++lane) {
        if (values == Values::F64) {
          uint64_t v = draw(random, values, trouble, accumulator);
          out[2 * r * 32 + lane] = static_cast<uint32_t>(v),
                           out[(2 * r + 1) * 32 + lane] = static_cast<uint32_t>(v >> 32);
          continue;
        }
        uint32_t word = 0;
        for (unsigned at = 0; at < 32; at += bits_of(values))
          word |= static_cast<uint32_t>(draw(random, values, trouble, accumulator)) << at;
        out[r * 32 + lane] = word;
      }
    return out;
  };
  Fragment out;
  out.a = fill(row.a_registers, row.a, false);
  out.b = fill(row.b_registers, row.b, false);
  out.c = fill(row.c_registers, row.c, true);
  out.metadata.resize(32);
  // Two ascending indices of two bits in each nibble; tf32 has one of two pairs (PTX ISA 9.7.14.6.1).
  constexpr uint32_t kPairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe}, kHalves[] = {0x4, 0xe};
  for (uint32_t& word : out.metadata)
    for (unsigned at = 0; at < 32; at += 4)
      word |= (row.a == Values::TF32 ? kHalves[random.below(2)] : kPairs[random.below(6)]) << at;
  return out;
}

}  // namespace warpwise::gpu::tensor
