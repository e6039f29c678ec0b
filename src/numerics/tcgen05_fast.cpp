// tcgen05.mma for the engine: bit for bit the results of multiply_tcgen05() at the speed of vectors. Sums go from
// tensor memory into the fragments of the tile kernels (product.h), 16 rows by 8 columns at a time, and back. Sparse
// and block-scaled products are left to the plain form.
#include <cstring>
#include <vector>

#include "numerics/tcgen05_operands.h"
#include "numerics/tile_kernel.h"

namespace warpwise::numerics {
namespace {

constexpr uint32_t kLanes = 32, kRows = 16, kColumns = 8;
constexpr uint32_t kAWords = 4, kBWords = 2;

// Register r of lane 4g + t holds word 4r + t of line g.
void to_fragment(const Lines& lines, uint32_t first, uint32_t registers, uint32_t distance, uint32_t* to) {
  for (uint32_t r = 0; r < registers; ++r)
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      std::memcpy(&to[r * distance + lane], lines.line(first + lane / 4) + 4 * (4 * r + lane % 4), 4);
}

class FastProduct {
 public:
  FastProduct(unsigned capability, Precision precision, const Tcgen05Work& work) : w_(work), precision_(precision) {
    tile_.rule = w_.form.kind == Tcgen05Kind::I8 ? DotRule{} : dot_rule(capability, TensorUnit::Tcgen05, w_.shape.a);
    tile_.a_element = w_.shape.a, tile_.b_element = w_.shape.b;
    const Accumulator sum = w_.shape.sum == Tcgen05Shape::Sum::F16   ? Accumulator::F16
                            : w_.shape.sum == Tcgen05Shape::Sum::F32 ? Accumulator::F32
                                                                     : Accumulator::S32;
    tile_.c_type = tile_.d_type = sum;
    tile_.k = static_cast<uint16_t>(w_.shape.k);
    tile_.saturate = w_.shape.saturate;
  }

  void run() {
    b_.resize(w_.shape.n / kColumns * kBWords * kLanes);
    for (uint32_t n = 0; n < w_.shape.n; n += kColumns)
      to_fragment(w_.b, n, kBWords, kLanes, b_.data() + n / kColumns * kBWords * kLanes);
    for (uint32_t block = 0; block < w_.form.blocks; ++block)
      for (uint32_t part = 0; part < w_.path.parts; ++part)
        for (uint32_t row = 0; row < w_.path.rows; row += kRows) add_rows(block, part, row);
  }

 private:
  void add_rows(uint32_t block, uint32_t part, uint32_t row) {
    alignas(64) uint32_t a[kAWords * kLanes];
    for (uint32_t half = 0; half < 2; ++half)  // rows 8 to 15 are in the odd registers
      to_fragment(w_.a_of(block, part), row + 8 * half, kAWords / 2, 2 * kLanes, a + half * kLanes);
    const uint32_t lane = w_.path.lane(row, part);
    for (uint32_t column = 0; column < w_.part_columns(); column += kColumns) {
      alignas(64) uint32_t sums[4 * kLanes] = {};
      const bool halves = tile_.c_type == Accumulator::F16;
      TensorMemory& memory = *w_.blocks[block].memory;
      auto load = [&](uint32_t& word, uint32_t shift, uint32_t at, uint32_t n) {
        word |= (halves ? memory.read(at, n) & 0xffff : memory.read(at, n)) << shift;
      };
      auto store = [&](uint32_t word, uint32_t shift, uint32_t at, uint32_t n) {
        memory.write(at, n) = halves ? word >> shift & 0xffff : word;
      };
      if (w_.operands.accumulate) for_each_sum(block, lane, column, load, sums);
      Tile tile = tile_;
      tile.a = a, tile.b = b_.data() + (part * w_.part_columns() + column) / kColumns * kBWords * kLanes;
      tile.c = tile.d = sums;
      tile_function()(tile, precision_);
      for_each_sum(block, lane, column, store, sums);
    }
  }

  // Calls move(word of the fragment, place in it, lane, column) for each element of the tile at `lane` and `column` of
  // d.
  template <class Move>
  void for_each_sum(uint32_t block, uint32_t lane, uint32_t column, Move move, uint32_t* sums) {
    const bool half = tile_.c_type == Accumulator::F16;
    for (uint32_t row = 0; row < kRows; ++row) {
      if (w_.is_disabled(block, lane + row)) continue;
      for (uint32_t n = 0; n < kColumns; ++n) {
        const uint32_t holder = row % 8 * 4 + n / 2;
        uint32_t& word = half ? sums[row / 8 * kLanes + holder] : sums[(row / 8 * 2 + n % 2) * kLanes + holder];
        move(word, half ? 16 * (n % 2) : 0, lane + row, w_.d.column + column + n);
      }
    }
  }

  const Tcgen05Work& w_;
  Precision precision_;
  Tile tile_{};
  std::vector<uint32_t> b_;
};

}  // namespace

std::string multiply_tcgen05_fast(unsigned capability, Fidelity fidelity, const Tcgen05Form& form,
                                  const Tcgen05Operands& operands, std::span<const Tcgen05Block> blocks) {
  if (form.sparse || form.scales != 0 || form.scale_input != 0)
    return multiply_tcgen05(capability, form, operands, blocks);
  Tcgen05Work work;
  if (std::string why = read_operands(form, operands, blocks, work); !why.empty()) return why;
  FastProduct(capability, fidelity == Fidelity::Exact ? Precision::Exact : Precision::Quick, work).run();
  return "";
}

}  // namespace warpwise::numerics
