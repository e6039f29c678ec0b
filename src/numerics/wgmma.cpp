#include "numerics/wgmma.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "numerics/fragments.h"
#include "numerics/matrix_descriptor.h"

namespace warpwise::numerics {

uint64_t WgmmaForm::pack() const {
  return uint64_t{n} | uint64_t(a) << 16 | uint64_t(b) << 24 | uint64_t(d) << 32 | uint64_t{a_in_registers} << 40 |
         uint64_t{negate_a} << 41 | uint64_t{negate_b} << 42 | uint64_t{transpose_a} << 43 |
         uint64_t{transpose_b} << 44 | uint64_t{saturate} << 45 | uint64_t{sparse} << 46 | uint64_t{selector} << 48;
}

WgmmaForm WgmmaForm::unpack(uint64_t packed) {
  auto bit = [&](unsigned at) { return (packed >> at & 1) != 0; };
  WgmmaForm form;
  form.n = static_cast<uint16_t>(packed);
  form.a = static_cast<Element>(packed >> 16 & 0xff);
  form.b = static_cast<Element>(packed >> 24 & 0xff);
  form.d = static_cast<WgmmaSum>(packed >> 32 & 0xff);
  form.a_in_registers = bit(40), form.negate_a = bit(41), form.negate_b = bit(42);
  form.transpose_a = bit(43), form.transpose_b = bit(44), form.saturate = bit(45);
  form.sparse = bit(46), form.selector = static_cast<uint8_t>(packed >> 48 & 3);
  return form;
}

namespace {

constexpr unsigned kLanes = 32, kRows = 16, kRowBytes = 32;  // of a warp's share; of the k of one product

int integer(Element type, uint32_t bits) {
  return type == Element::S8 ? static_cast<int8_t>(bits) : static_cast<int>(bits);
}

struct Place {
  uint32_t reg, lane, index;
};

// Element (row, k) of a in registers, `elements` to each.
Place place_of_a(uint32_t elements, uint32_t row, uint32_t k) {
  return {k / (4 * elements) * 2 + row / 8, row % 8 * 4 + k / elements % 4, k % elements};
}
// Element (row, column) of d.
Place place_of_d(bool half, uint32_t row, uint32_t column) {
  const uint32_t block = column / 8, c = column % 8, lane = row % 8 * 4 + c / 2;
  return half ? Place{block * 2 + row / 8, lane, c % 2} : Place{block * 4 + row / 8 * 2 + c % 2, lane, 0};
}

// The elements of one operand, row after row, decoded.
struct Matrix {
  std::vector<float> floats;
  std::vector<int> integers;
};

class Reader {
 public:
  Reader(const WgmmaForm& form, const WgmmaOperands& operands) : form_(form), o_(operands) {}

  // False when the matrix exceeds shared memory.
  bool read_shared(Element element, uint64_t word, bool transposed, bool negated, uint32_t first_row, uint32_t rows,
                   uint32_t elements, Matrix& out) {
    const MatrixDescriptor descriptor(word);
    const uint32_t bits = format_of(element).bits;
    const uint32_t bytes = std::max(bits / 8, 1u), count = bits == 1 ? kRowBytes : elements;
    for (uint32_t row = 0; row < rows; ++row) {
      for (uint32_t k = 0; k < count; ++k) {
        uint32_t at = descriptor.place(transposed, first_row + row, k, bytes), value = 0;
        if (at + bytes > o_.shared_bytes) return false;
        std::memcpy(&value, o_.shared + at, bytes);
        add(element, value, negated, out);
      }
    }
    return true;
  }

  void read_registers(Element element, bool negated, Matrix& out) {
    const uint32_t bits = format_of(element).bits;
    const uint32_t elements = bits == 1 ? 4 : 32 / bits, count = bits == 1 ? kRowBytes : form_.kept();
    for (uint32_t row = 0; row < kRows; ++row) {
      for (uint32_t k = 0; k < count; ++k) {
        const Place at = place_of_a(elements, row, k);
        const uint32_t word = o_.a_words[at.reg * kLanes + at.lane], width = 32 / elements;
        add(element, width == 32 ? word : word >> (at.index * width) & ((1u << width) - 1), negated, out);
      }
    }
  }

 private:
  void add(Element element, uint32_t value, bool negated, Matrix& out) {
    if (is_small_float(element)) {
      float number = decode(element, value);
      out.floats.push_back(negated ? -number : number);
    } else {
      out.integers.push_back(element == Element::B1 ? static_cast<int>(value & 0xff) : integer(element, value));
    }
  }

  const WgmmaForm& form_;
  const WgmmaOperands& o_;
};

// Element (row, column) of d, of 32 bits or of 16.
class Sums {
 public:
  Sums(const WgmmaForm& form, uint32_t* words) : half_(form.d == WgmmaSum::F16), words_(words) {}
  uint32_t get(uint32_t row, uint32_t column) const {
    const Place at = place_of_d(half_, row, column);
    const uint32_t word = words_[at.reg * kLanes + at.lane];
    return half_ ? word >> (16 * at.index) & 0xffff : word;
  }
  void set(uint32_t row, uint32_t column, uint32_t value) {
    const Place at = place_of_d(half_, row, column);
    uint32_t& word = words_[at.reg * kLanes + at.lane];
    word = half_ ? (word & ~(0xffffu << (16 * at.index))) | value << (16 * at.index) : value;
  }

 private:
  bool half_;
  uint32_t* words_;
};

}  // namespace

std::string multiply_warpgroup(unsigned capability, const WgmmaForm& form, const WgmmaOperands& o) {
  for (uint64_t word : {form.a_in_registers ? 0 : o.a, o.b})
    if (const char* why = MatrixDescriptor(word).problem()) return why;
  // k takes 64 bytes of b, two spans. No field gives their distance, since swizzled layouts have no leading distance
  // (9.7.15.5.1.2).
  if (form.sparse && !form.transpose_b && MatrixDescriptor(o.b).span == 32)
    return "a sparse product whose b has a swizzle of 32 bytes, in which 64 bytes of k have no room: a swizzle of 64 "
           "or 128 bytes, none, or a transposed b is required";
  Matrix a, b;
  Reader reader(form, o);
  bool fits = reader.read_shared(form.b, o.b, form.transpose_b, form.negate_b, 0, form.n, form.k(), b);
  if (form.a_in_registers)
    reader.read_registers(form.a, form.negate_a, a);
  else
    fits =
        fits && reader.read_shared(form.a, o.a, form.transpose_a, form.negate_a, o.warp * kRows, kRows, form.kept(), a);
  if (!fits) return "a matrix descriptor reaches outside the block's shared memory";

  Sums sums(form, o.d);
  const bool floats = is_small_float(form.a);
  const uint32_t k = static_cast<uint32_t>(floats ? a.floats.size() : a.integers.size()) / kRows,
                 k_of_b = form.sparse ? 2 * k : k;
  const uint32_t* metadata = form.sparse ? o.a_words + (form.a_words() - 1) * kLanes : nullptr;
  auto place_in_b = [&](uint32_t row, uint32_t i) {
    return form.sparse ? kept_k(form.a, k_of_b, form.selector, metadata, row, i) : i;
  };
  const DotRule rule = floats ? dot_rule(capability, TensorUnit::Wgmma, form.a) : DotRule{};
  const Sum sum = form.d == WgmmaSum::F16 ? Sum::F16 : Sum::F32;
  std::vector<uint32_t> places(k);
  std::vector<float> taken(k);
  for (uint32_t row = 0; row < kRows; ++row) {
    for (uint32_t i = 0; i < k; ++i) places[i] = place_in_b(row, i);
    for (uint32_t column = 0; column < form.n; ++column) {
      const uint32_t old = o.accumulate ? sums.get(row, column) : 0;
      if (floats) {
        const float c = sum == Sum::F16 ? decode(Element::F16, old) : std::bit_cast<float>(old);
        const float* x = a.floats.data() + row * k;
        for (uint32_t i = 0; i < k; ++i) taken[i] = b.floats[column * k_of_b + places[i]];
        sums.set(row, column, result_bits(sum, dot(rule, form.a, form.b, sum, k, x, taken.data(), c)));
        continue;
      }
      int64_t total = static_cast<int32_t>(old);
      for (uint32_t i = 0; i < k; ++i) {
        const int x = a.integers[row * k + i], y = b.integers[column * k_of_b + places[i]];
        total += form.a == Element::B1 ? std::popcount(static_cast<unsigned>(x & y)) : x * y;
      }
      if (form.saturate) total = std::clamp<int64_t>(total, INT32_MIN, INT32_MAX);
      sums.set(row, column, static_cast<uint32_t>(total));
    }
  }
  return "";
}

}  // namespace warpwise::numerics
