#include "numerics/tcgen05_descriptor.h"

#include <fmt/format.h>

#include <optional>

namespace warpwise::numerics {
namespace {

using Kind = Tcgen05Kind;

bool is_four_bits(Kind kind) { return kind == Kind::MxF4 || kind == Kind::MxF4NvF4; }

std::optional<Element> element_of(Kind kind, uint32_t code) {
  switch (kind) {
    case Kind::F16:
      if (code < 2) return code == 0 ? Element::F16 : Element::BF16;
      break;
    case Kind::Tf32:
      if (code == 2) return Element::TF32;
      break;
    case Kind::I8:
      if (code < 2) return code == 0 ? Element::U8 : Element::S8;
      break;
    case Kind::F8F6F4:
    case Kind::MxF8F6F4:
      switch (code) {
        case 0:
          return Element::E4M3;
        case 1:
          return Element::E5M2;
        case 3:
          return Element::E2M3;
        case 4:
          return Element::E3M2;
        case 5:
          return Element::E2M1;
        default:
          break;
      }
      break;
    case Kind::MxF4:
    case Kind::MxF4NvF4:
      if (code == 1) return Element::E2M1;
      break;
  }
  return std::nullopt;
}

// Table 39: the shapes of d.
std::string check_shape(const Tcgen05Form& form, const Tcgen05Shape& s) {
  const bool scaled = form.scales != 0, integers = form.kind == Kind::I8;
  bool m_fits, n_fits;
  if (form.weight_stationary) {
    m_fits = s.m == 32 || s.m == 64 || s.m == 128;
    n_fits = s.n == 64 || s.n == 128 || (s.n == 256 && !form.sparse);
  } else {
    const bool pair = form.blocks == 2;
    m_fits = s.m == 128 || (pair ? s.m == 256 : !scaled && s.m == 64);
    if (pair && scaled && form.sparse) m_fits = s.m == 256;
    uint32_t step = pair ? 16 : 8;
    if (integers) step = pair ? 32 : s.n <= 32 ? 8 : 16;
    n_fits = s.n >= step && s.n <= 256 && s.n % step == 0;
  }
  if (m_fits && n_fits) return "";
  return fmt::format(
      "the instruction descriptor names a product of {} rows and {} columns, which `tcgen05.mma{}{}.cta_group::{}` of "
      "its kind does not have",
      s.m, s.n, form.weight_stationary ? ".ws" : "", form.sparse ? ".sp" : "", form.blocks);
}

}  // namespace

std::string read_instruction_descriptor(const Tcgen05Form& form, uint32_t word, Tcgen05Shape& s) {
  auto bits = [&](unsigned at, unsigned count) { return word >> at & ((1u << count) - 1); };
  const bool scaled = form.scales != 0;
  const auto a = element_of(form.kind, bits(7, 3)),
             b = element_of(form.kind, bits(10, is_four_bits(form.kind) ? 2 : 3));
  if (!a || !b)
    return fmt::format("the instruction descriptor {:#010x} names a type that this kind of `tcgen05.mma` does not have",
                       word);
  s.a = *a, s.b = *b;
  s.m = bits(24, 5) * 16, s.n = bits(17, 6) * 8;
  s.k = 256 / format_of(s.a).bits * (is_four_bits(form.kind) ? 2 : 1) * (form.sparse ? 2 : 1);
  s.negate_a = bits(13, 1), s.negate_b = bits(14, 1), s.transpose_a = bits(15, 1), s.transpose_b = bits(16, 1);
  if (bits(2, 1) != form.sparse)
    return "the instruction descriptor and the instruction do not agree whether a is sparse";
  if (scaled) {
    s.scale_b_id = bits(4, 2), s.scale_a_id = bits(29, 2);
    s.scale = bits(23, 1) ? Element::UE8M0 : Element::E4M3;
    if (s.scale == Element::E4M3 && form.kind != Kind::MxF4NvF4)
      return "scales of this kind are ue8m0: bit 23 of the instruction descriptor is 1";
    if (s.scale == Element::E4M3 && form.scales != 4) return "scales of ue4m3 come with `.scale_vec::4X`";
    if (s.scale_a_id + form.scales > 4 || s.scale_b_id + form.scales > 4)
      return "a scale's id and the number of scales do not fit a word";
    if (is_four_bits(form.kind) && bits(31, 1)) return "products with a k of 96 are sm_103a's and are not executed yet";
  } else {
    s.sparsity_selector = form.sparse ? bits(0, 2) : 0;
    s.saturate = bits(3, 1);
    const uint32_t sum = bits(4, 2);
    const bool fits =
        form.kind == Kind::I8 ? sum == 2 : sum == 1 || (sum == 0 && form.kind != Kind::Tf32 && s.a != Element::BF16);
    if (!fits)
      return fmt::format(
          "the instruction descriptor {:#010x} names a type of d that this kind of `tcgen05.mma` does not have", word);
    s.sum = sum == 0 ? Tcgen05Shape::Sum::F16 : sum == 1 ? Tcgen05Shape::Sum::F32 : Tcgen05Shape::Sum::S32;
  }
  if (form.shifts_a && s.m != 128 && s.m != 256)
    return fmt::format("`.ashift` with a product of {} rows; it requires 128 or 256", s.m);
  for (auto [transposed, element] : {std::pair{s.transpose_a, s.a}, std::pair{s.transpose_b, s.b}}) {
    const bool narrow = element == Element::E2M3 || element == Element::E3M2 || element == Element::E2M1;
    if (transposed && narrow) return "matrices of 4-bit and 6-bit elements are not transposed";
  }
  if (form.kind == Kind::I8 && (s.negate_a || s.negate_b)) return "matrices of integers are not negated";
  return check_shape(form, s);
}

}  // namespace warpwise::numerics
