#include "numerics/tcgen05.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "numerics/tcgen05_operands.h"

namespace warpwise::numerics {

uint64_t Tcgen05Form::pack() const {
  return uint64_t(kind) | uint64_t{blocks} << 8 | uint64_t{weight_stationary} << 16 | uint64_t{sparse} << 17 |
         uint64_t{a_in_tensor_memory} << 18 | uint64_t{shifts_a} << 19 | uint64_t{scales} << 24 |
         uint64_t{scale_input} << 32;
}

Tcgen05Form Tcgen05Form::unpack(uint64_t packed) {
  auto bit = [&](unsigned at) { return (packed >> at & 1) != 0; };
  return {
      static_cast<Tcgen05Kind>(packed & 0xff), static_cast<uint8_t>(packed >> 8), bit(16), bit(17), bit(18), bit(19),
      static_cast<uint8_t>(packed >> 24),      static_cast<uint8_t>(packed >> 32)};
}

namespace {

constexpr uint32_t kMostProducts = 128;  // of one element of d
constexpr unsigned kGroup = 16;          // products of 4-bit elements that are added exactly

// The elements of d, one after the other.
class PlainProduct {
 public:
  PlainProduct(unsigned capability, const Tcgen05Work& work) : w_(work) {
    const bool groups = w_.form.kind == Tcgen05Kind::MxF4 || w_.form.kind == Tcgen05Kind::MxF4NvF4;
    if (w_.form.kind != Tcgen05Kind::I8)
      rule_ = dot_rule(capability, groups ? TensorUnit::Tcgen05Groups : TensorUnit::Tcgen05, w_.shape.a);
  }

  void run() {
    for (uint32_t block = 0; block < w_.form.blocks; ++block)
      for (uint32_t part = 0; part < w_.path.parts; ++part)
        for (uint32_t row = 0; row < w_.path.rows; ++row) add_row(block, part, row);
  }

 private:
  void add_row(uint32_t block, uint32_t part, uint32_t row) {
    const uint32_t lane = w_.path.lane(row, part);
    if (w_.is_disabled(block, lane)) return;
    const Lines& a = w_.a_of(block, part);
    if (w_.form.kind == Tcgen05Kind::I8)
      a.decode(row, a_integers_);
    else
      a.decode(row, a_);
    if (w_.form.sparse) w_.places_of(block, row, part, places_);
    for (uint32_t column = 0; column < w_.part_columns(); ++column) {
      TensorMemory& memory = *w_.blocks[block].memory;
      const uint32_t old = w_.operands.accumulate ? memory.read(lane, w_.d.column + column) : 0,
                     line = part * w_.part_columns() + column;
      memory.write(lane, w_.d.column + column) =
          w_.form.kind == Tcgen05Kind::I8 ? integer(line, old) : number(block, row, lane, column, line, old);
    }
  }

  // Element i of a line of b is multiplied by stored element i of a.
  template <class T>
  const T* against(const T* line, T* chosen) const {
    if (!w_.form.sparse) return line;
    for (uint32_t i = 0; i < w_.stored_k(); ++i) chosen[i] = line[places_[i]];
    return chosen;
  }

  uint32_t integer(uint32_t line, uint32_t old) {
    int32_t b[kMostProducts], chosen[kMostProducts];
    w_.b.decode(line, b);
    const int32_t* y = against(b, chosen);
    int64_t total = static_cast<int32_t>(old);
    for (uint32_t i = 0; i < w_.stored_k(); ++i) total += a_integers_[i] * y[i];
    if (w_.shape.saturate) total = std::clamp<int64_t>(total, INT32_MIN, INT32_MAX);
    return static_cast<uint32_t>(total);
  }

  uint32_t number(uint32_t block, uint32_t row, uint32_t lane, uint32_t column, uint32_t line, uint32_t old) {
    float b[kMostProducts], chosen[kMostProducts];
    w_.b.decode(line, b);
    const float* y = against(b, chosen);
    const Sum sum = w_.shape.sum == Tcgen05Shape::Sum::F16 ? Sum::F16 : Sum::F32;
    float c = sum == Sum::F16 ? decode(Element::F16, old & 0xffff) : std::bit_cast<float>(old);
    if (w_.form.scale_input != 0) c = std::ldexp(c, -int{w_.form.scale_input});
    const uint32_t k = w_.stored_k();
    if (w_.form.scales == 0) return result_bits(sum, dot(rule_, w_.shape.a, w_.shape.b, sum, k, a_, y, c));
    const Scales scales{w_.shape.scale, w_.scales_of_row(block, row, lane), w_.scales_of_column(block, column, lane),
                        k / w_.form.scales};
    return result_bits(sum, w_.form.kind == Tcgen05Kind::MxF8F6F4
                                ? dot_scaled(rule_, w_.shape.a, w_.shape.b, k, a_, y, scales, c)
                                : dot_of_groups(rule_, kGroup, k, a_, y, scales, c));
  }

  const Tcgen05Work& w_;
  DotRule rule_{};
  float a_[kMostProducts] = {};
  int32_t a_integers_[kMostProducts] = {};
  uint16_t places_[kMostProducts] = {};
};

}  // namespace

std::string multiply_tcgen05(unsigned capability, const Tcgen05Form& form, const Tcgen05Operands& operands,
                             std::span<const Tcgen05Block> blocks) {
  Tcgen05Work work;
  if (std::string why = read_operands(form, operands, blocks, work); !why.empty()) return why;
  PlainProduct(capability, work).run();
  return "";
}

}  // namespace warpwise::numerics
