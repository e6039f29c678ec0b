// A product of small matrices as a warp does it, d = a * b + c, with every matrix in the registers of 32 lanes.
//
// Fragments. All shapes but one are made of the same tiles (PTX ISA 9.7.14.5). With g = lane / 4, t = lane % 4 and e
// elements in a 32-bit register (one in the 64 bits of an f64):
//
//     a, 16 rows   register r, element i:  row g + 8 (r % 2),  k = 4e (r / 2) + e t + i
//     a,  8 rows   register r, element i:  row g,              k = 4e r + e t + i
//     b            register r, element i:  column g,           k = 4e r + e t + i
//     c, d         register r (f32, s32, f64): row g + 8 (r / 2), column 2t + r % 2;   f16: row g + 8r, columns 2t, 2t + 1
//
// Larger shapes (wmma) are several such tiles, row blocks and column blocks in order; m8n32 is the transpose of
// m32n8. The fragments of wmma are opaque to programs, these are the ones that 8.0 and later use (seen on an H200). The odd
// one is m8n8k4 of f16: four products, each by two quads of lanes (9.7.14.5.1).
//
// Sparse products (mma.sp) keep half of a's elements; `metadata` says which ones (9.7.14.6.1).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "numerics/tensor_cores.h"

namespace warpwise::numerics {

enum class Accumulator : uint8_t { F16, F32, F64, S32 };

struct Product {
  uint8_t m = 16, n = 8;
  uint16_t k = 16;
  Element a = Element::F16, b = Element::F16;
  Accumulator c = Accumulator::F32, d = Accumulator::F32;
  bool quad_pairs = false;           // m8n8k4 of f16 ...
  bool a_by_column = false, b_by_row = false;  // ... and how its fragments lie; nothing for all others
  bool sparse = false;
  uint8_t selector = 0;              // of metadata: which lanes of a quad hold it
  bool saturate = false;             // integers: the sum is clamped; else it wraps
  bool exclusive_or = false;         // b1: xor instead of and, before the bits are counted
  uint8_t rounding = 0;              // f64: 0 nearest, 1 zero, 2 down, 3 up

  // As a number, for compiled code.
  uint64_t pack() const;
  static Product unpack(uint64_t packed);

  // 32-bit registers of each lane; an f64 takes two. wmma repeats a's or b's where a tile has only one.
  unsigned a_words() const;
  unsigned b_words() const;
  unsigned c_words() const { return accumulator_words(c); }
  unsigned d_words() const { return accumulator_words(d); }
  unsigned metadata_words() const { return sparse ? 1 : 0; }
  unsigned input_words() const { return a_words() + b_words() + c_words() + metadata_words(); }

  bool operator==(const Product&) const = default;

 private:
  unsigned accumulator_words(Accumulator type) const;
};

constexpr unsigned kMaxInputWords = 64, kMaxOutputWords = 16;

// The registers of a warp: word w of lane l at [w * 32 + l]. The inputs are those of a, b, c and metadata in a row.
// `capability` as in dot_rule. This is the plain form, one dot product after the other: what the fast ones
// must agree with. `unit`: a warp's share of wgmma has the same fragments (16 of its 64 rows, 8 of its columns).
void multiply(unsigned capability, TensorUnit unit, const Product& product, const uint32_t* inputs, uint32_t* outputs);

}  // namespace warpwise::numerics
