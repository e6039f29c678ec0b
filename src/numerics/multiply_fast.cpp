#include "numerics/multiply_fast.h"

#include "numerics/double_tile.h"
#include "numerics/tile_kernel.h"

namespace warpwise::numerics {
namespace {

enum class Vectors : uint8_t { Sse2, Avx2, Avx512 };

Vectors vectors_of_this_processor() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    return Vectors::Avx512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? Vectors::Avx2 : Vectors::Sse2;
}

// The cases that the tile kernels support: 16 rows, dense, unscaled, everything but doubles (double_tile.h) and single
// bits.
bool in_tiles(const Product& p, const DotRule& rule) {
  if (p.quad_pairs || p.sparse || p.scale_vectors || p.a == Element::F64 || p.a == Element::B1) return false;
  if (p.m == 8 && p.n != 32) return false;
  return !is_small_float(p.a) || (rule.method != DotMethod::Fma && p.k <= 32);
}

// The words of an operand in the form that the tile kernels need: each e2m1 in the low bits of its byte, not in the
// middle.
class TileWords {
 public:
  TileWords(Element element, const uint32_t* words, unsigned count) : words_(words) {
    if (element != Element::E2M1) return;
    for (unsigned n = 0; n < count; ++n) moved_[n] = words[n] >> 2 & 0x0f0f0f0f;
    words_ = moved_;
  }
  const uint32_t* get() const { return words_; }

 private:
  const uint32_t* words_;
  uint32_t moved_[4 * 32];
};

}  // namespace

TileFunction tile_function() {
  constexpr TileFunction kFunctions[] = {multiply_tile_sse2, multiply_tile_avx2, multiply_tile_avx512};
  static const TileFunction chosen = kFunctions[static_cast<unsigned>(vectors_of_this_processor())];
  return chosen;
}

DoubleTileFunction double_tile_function() {
  constexpr DoubleTileFunction kFunctions[] = {nullptr, multiply_doubles_avx2, multiply_doubles_avx512};
  static const DoubleTileFunction chosen = kFunctions[static_cast<unsigned>(vectors_of_this_processor())];
  return chosen;
}

void multiply_fast(unsigned capability, TensorUnit unit, Fidelity fidelity, const Product& p, const uint32_t* inputs,
                   uint32_t* outputs) {
  Tile tile{dot_rule(capability, unit, p.a), p.a, p.b, p.c, p.d, inputs, nullptr, nullptr, outputs, p.k, p.saturate};
  const uint32_t *a = inputs, *b = a + p.a_words() * 32, *c = b + p.b_words() * 32;
  if (p.a == Element::F64 && p.rounding == 0 && double_tile_function() &&
      double_tile_function()({a, b, c, outputs, p.m, p.k}))
    return;
  if (!in_tiles(p, tile.rule)) return multiply(capability, unit, p, inputs, outputs);
  unsigned a_words = p.a_words(), b_words = p.b_words(), m = p.m, n = p.n;
  const TileWords a_moved(p.a, a, a_words * 32), b_moved(p.b, b, b_words * 32);
  a = a_moved.get(), b = b_moved.get();
  if (m == 8) {  // m8n32 is the transpose of m32n8
    std::swap(a, b), std::swap(a_words, b_words), std::swap(m, n), std::swap(tile.a_element, tile.b_element);
  }
  const unsigned row_blocks = m / 16, column_blocks = n / 8, blocks = row_blocks * column_blocks;
  a_words /= row_blocks, b_words /= column_blocks;
  const unsigned c_words = p.c_words() / blocks, d_words = p.d_words() / blocks;
  for (unsigned block = 0; block < blocks; ++block) {
    tile.a = a + block / column_blocks * a_words * 32, tile.b = b + block % column_blocks * b_words * 32;
    tile.c = c + block * c_words * 32, tile.d = outputs + block * d_words * 32;
    tile_function()(tile, fidelity == Fidelity::Exact ? Precision::Exact : Precision::Quick);
  }
}

}  // namespace warpwise::numerics
