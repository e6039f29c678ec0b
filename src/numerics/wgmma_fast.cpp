// A warp's share of wgmma is a row of n / 8 tiles, whose sums lie in registers as those of mma do (product.h). The
// matrices in shared memory are read into words in the layout of mma's fragments, and the tile kernels compute each
// tile.
#include "numerics/wgmma_fast.h"

#include <algorithm>
#include <cstring>

#include "numerics/matrix_descriptor.h"
#include "numerics/tile_kernel.h"

namespace warpwise::numerics {
namespace {

constexpr unsigned kLanes = 32, kMostColumns = 256, kAWords = 4, kBWords = 2;

// The sign bits of a word's elements.
uint32_t signs_of(Element element) {
  switch (format_of(element).bits) {
    case 8:
      return 0x80808080;
    case 16:
      return 0x80008000;
    default:
      return 0x80000000;
  }
}

class Fragments {
 public:
  explicit Fragments(const WgmmaOperands& operands) : o_(operands) {}

  // Register r of the lanes 4g + t holds elements k = 4e r + e t and up of row `first_row` + g, e to a word. False when
  // the matrix exceeds shared memory.
  bool read(Element element, uint64_t word, bool transposed, bool negated, uint32_t first_row, unsigned registers,
            unsigned stride, uint32_t* to) {
    const MatrixDescriptor descriptor(word);
    const uint32_t bytes = format_of(element).bits / 8, elements = 4 / bytes, flip = negated ? signs_of(element) : 0;
    for (unsigned r = 0; r < registers; ++r)
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const uint32_t row = first_row + lane / 4, k = (4 * r + lane % 4) * elements;
        uint32_t value = 0;
        for (uint32_t i = 0; i < (transposed ? elements : 1); ++i) {
          const uint32_t at = descriptor.place(transposed, row, k + i, bytes), size = transposed ? bytes : 4;
          if (at + size > o_.shared_bytes) return false;
          std::memcpy(reinterpret_cast<std::byte*>(&value) + i * bytes, o_.shared + at, size);
        }
        to[r * stride + lane] = value ^ flip;
      }
    return true;
  }

 private:
  const WgmmaOperands& o_;
};

}  // namespace

std::string multiply_warpgroup_fast(unsigned capability, Fidelity fidelity, const WgmmaForm& form,
                                    const WgmmaOperands& o) {
  const bool strange = MatrixDescriptor(o.b).problem() || (!form.a_in_registers && MatrixDescriptor(o.a).problem());
  if (strange || form.a == Element::B1 || form.sparse || form.n > kMostColumns)
    return multiply_warpgroup(capability, form, o);
  alignas(64) uint32_t a[kAWords * kLanes], b[kMostColumns / 8 * kBWords * kLanes];
  Fragments fragments(o);
  bool fits = true;
  for (unsigned block = 0; block < form.n / 8u; ++block)
    fits = fits && fragments.read(form.b, o.b, form.transpose_b, form.negate_b, block * 8, kBWords, kLanes,
                                  b + block * kBWords * kLanes);
  if (form.a_in_registers) {
    std::memcpy(a, o.a_words, sizeof a);
    if (form.negate_a)
      for (uint32_t& word : a) word ^= signs_of(form.a);
  } else {  // rows 8 to 15 are in the odd registers
    for (unsigned half = 0; half < 2; ++half)
      fits = fits && fragments.read(form.a, o.a, form.transpose_a, form.negate_a, o.warp * 16 + half * 8, kAWords / 2,
                                    2 * kLanes, a + half * kLanes);
  }
  if (!fits) return multiply_warpgroup(capability, form, o);  // which reports the error

  const Accumulator sum = form.d == WgmmaSum::F16   ? Accumulator::F16
                          : form.d == WgmmaSum::F32 ? Accumulator::F32
                                                    : Accumulator::S32;
  const unsigned words = form.d == WgmmaSum::F16 ? 2 : 4;
  if (!o.accumulate) std::fill_n(o.d, form.d_words() * kLanes, 0u);
  const DotRule rule = is_small_float(form.a) ? dot_rule(capability, TensorUnit::Wgmma, form.a) : DotRule{};
  for (unsigned block = 0; block < form.n / 8u; ++block) {
    uint32_t* d = o.d + block * words * kLanes;
    const Tile tile{
        rule,         form.a, form.b, sum, sum, a, b + block * kBWords * kLanes, d, d, static_cast<uint16_t>(form.k()),
        form.saturate};
    tile_function()(tile, fidelity == Fidelity::Exact ? Precision::Exact : Precision::Quick);
  }
  return "";
}

}  // namespace warpwise::numerics
