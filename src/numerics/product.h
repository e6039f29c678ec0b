// A product of small matrices computed by a warp, d = a * b + c, with every matrix in the registers of 32 lanes.
//
// Fragments. All shapes but one consist of the same tiles (PTX ISA 9.7.14.5). With g = lane / 4, t = lane % 4 and e
// elements in a 32-bit register (one in the 64 bits of an f64):
//
//     a, 16 rows   register r, element i:  row g + 8 (r % 2),  k = 4e (r / 2) + e t + i
//     a,  8 rows   register r, element i:  row g,              k = 4e r + e t + i
//     b            register r, element i:  column g,           k = 4e r + e t + i
//     c, d         register r (f32, s32, f64): row g + 8 (r / 2), column 2t + r % 2
//                  register r (f16):           row g + 8r,        columns 2t, 2t + 1
//
// Larger shapes (wmma) are several such tiles, row blocks and column blocks in order; m8n32 is the transpose of m32n8.
// The fragments of wmma are opaque to programs; these are the ones that 8.0 and later use (seen on an H200). The
// exception is m8n8k4 of f16: four products, each computed by two quads of lanes (9.7.14.5.1).
//
// Sparse products (mma.sp) keep half of a's elements; `metadata` says which ones (9.7.14.6.1).
//
// Block-scaled products (9.7.14.3) multiply each of `scale_vectors` parts of a row of a and of a column of b by a
// number of its own. Some lanes of each quad hold these numbers in a word; the program says which lanes and which bytes
// of the word:
//
//     row g of a: lane 4g + 2 thread_id,  row g + 8: the next lane      bytes byte_id, byte_id + 1, ... for the parts
//     column g of b: lane 4g + thread_id                                in order
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
  bool quad_pairs = false;                     // m8n8k4 of f16 ...
  bool a_by_column = false, b_by_row = false;  // ... and the layout of its fragments; false for all others
  bool sparse = false;
  uint8_t selector = 0;          // of metadata: which lanes of a quad hold it
  bool saturate = false;         // integers: the sum is clamped; else it wraps
  bool exclusive_or = false;     // b1: xor instead of and, before the bits are counted
  uint8_t rounding = 0;          // f64: 0 nearest, 1 zero, 2 down, 3 up
  uint8_t scale_vectors = 0;     // 1, 2, 4; 0: nothing is scaled
  bool scales_are_e4m3 = false;  // unsigned ones; else ue8m0

  // Encoded as a number, for compiled code, which passes it with every product: decoding must be cheap.
  uint64_t pack() const;
  static Product unpack(uint64_t packed) {
    Product p;
    auto take = [&](unsigned bits) {
      uint64_t value = packed & ((uint64_t{1} << bits) - 1);
      packed >>= bits;
      return value;
    };
    p.m = uint8_t(take(6)), p.n = uint8_t(take(6)), p.k = uint16_t(take(9)), p.a = Element(take(4)),
    p.b = Element(take(4));
    p.c = Accumulator(take(2)), p.d = Accumulator(take(2));
    p.quad_pairs = take(1), p.a_by_column = take(1), p.b_by_row = take(1), p.sparse = take(1),
    p.selector = uint8_t(take(2));
    p.saturate = take(1), p.exclusive_or = take(1), p.rounding = uint8_t(take(2));
    p.scale_vectors = uint8_t(take(3)), p.scales_are_e4m3 = take(1);
    return p;
  }

  // 32-bit registers of each lane; an f64 takes two. wmma repeats a's or b's where a tile has only one.
  unsigned a_words() const { return quad_pairs ? 2 : tile_words(a, m, sparse ? k / 2u : k); }
  unsigned b_words() const { return quad_pairs ? 2 : tile_words(b, n, k); }
  unsigned c_words() const { return accumulator_words(c); }
  unsigned d_words() const { return accumulator_words(d); }
  unsigned metadata_words() const { return sparse ? 1 : 0; }
  unsigned scale_words() const { return scale_vectors ? 3 : 0; }  // a's, b's, and ScaleSelectors
  unsigned input_words() const { return a_words() + b_words() + c_words() + metadata_words() + scale_words(); }

  bool operator==(const Product&) const = default;

 private:
  // Registers (words) of a tile: `rows` rows or columns of k elements.
  static unsigned tile_words(Element element, unsigned rows, unsigned k) {
    return rows * k * format_of(element).bits / (32 * 32);
  }
  unsigned accumulator_words(Accumulator type) const {
    const unsigned elements = quad_pairs ? 8 : m * n / 32u;
    return type == Accumulator::F16 ? elements / 2 : type == Accumulator::F64 ? elements * 2 : elements;
  }
};

// Where the scales are, in a word.
struct ScaleSelectors {
  uint8_t byte_a = 0, thread_a = 0, byte_b = 0, thread_b = 0;
  static constexpr unsigned kShiftByteA = 0, kShiftThreadA = 8, kShiftByteB = 16, kShiftThreadB = 24;
  static ScaleSelectors unpack(uint32_t word) {
    return {uint8_t(word >> kShiftByteA), uint8_t(word >> kShiftThreadA), uint8_t(word >> kShiftByteB),
            uint8_t(word >> kShiftThreadB)};
  }
};

constexpr unsigned kMaxInputWords = 64, kMaxOutputWords = 16;

// The registers of a warp: word w of lane l at [w * 32 + l]. The inputs are those of a, b, c, metadata and scales in a
// row. `capability` as in dot_rule. This is the plain form, one dot product after the other, with which the fast forms
// must agree. `unit`: a warp's share of wgmma has the same fragments (16 of its 64 rows, 8 of its columns).
void multiply(unsigned capability, TensorUnit unit, const Product& product, const uint32_t* inputs, uint32_t* outputs);

}  // namespace warpwise::numerics
