#include "surroundings.h"

#include <fmt/format.h>

#include <algorithm>

#include "choose.h"

namespace warpwise::random_programs {

namespace {

TextureChoice texture(Choose& choose, std::string_view geometry) {
  constexpr const char* kFormats[] = {"f32",  "f32x4", "f16x2", "f16x4", "u8",    "u8x4",
                                      "s8x2", "u16x2", "s16x4", "u32",   "s32x2", "u32x4"};
  constexpr const char* kAddressing[] = {"", ",wrap", ",mirror", ",border"};
  TextureChoice t;
  const std::string format = kFormats[choose.below(std::size(kFormats))];
  const bool cube = geometry.ends_with("cube"), narrow = format[0] != 'f' && format[1] != '3';
  // Numbers between 0 and 1 are made of integers of up to 16 bits.
  const bool unorm = narrow && choose.one_in(2), normalized = cube || choose.one_in(2);
  t.real = format[0] == 'f' || unorm;
  t.is_signed = format[0] == 's';
  const bool linear = t.real && choose.one_in(2);
  t.by_index = !linear && !normalized;
  // Wrapping and mirroring go with coordinates from 0 to 1 (CUDA C++ Programming Guide, "Texture Object API").
  const unsigned side = 1 + choose.below(8), levels = normalized ? 1 + choose.below(3) : 1;
  std::string size = fmt::format("{}", 1 + choose.below(60));
  if (geometry == "2d") size = fmt::format("{}x{}", 1 + choose.below(17), 1 + choose.below(17));
  if (geometry == "3d") size = fmt::format("{}x{}x{}", 1 + choose.below(9), 1 + choose.below(7), 1 + choose.below(5));
  if (geometry == "a1d") size = fmt::format("{}x{}", 1 + choose.below(20), 1 + choose.below(4));
  if (geometry == "a2d") size = fmt::format("{}x{}x{}", 1 + choose.below(9), 1 + choose.below(9), 1 + choose.below(3));
  if (geometry == "cube") size = fmt::format("{0}x{0}", side);
  if (geometry == "acube") size = fmt::format("{0}x{0}x2", std::min(side, 6u));
  t.words = fmt::format("texture={},{},{}{}{}{}{}", geometry, format, size, linear ? ",linear" : "",
                        unorm ? ",unorm" : "", normalized ? ",normalized" : "",
                        normalized ? kAddressing[choose.below(4)] : kAddressing[3 * choose.below(2)]);
  if (levels > 1) t.words += fmt::format(",levels={}{}", levels, linear && choose.one_in(2) ? ",miplinear" : "");
  return t;
}

// The bytes from the first element to behind the last one.
uint64_t extent(const TensorChoice& t) {
  uint64_t bytes = t.sizes[0] * t.element_bytes();
  for (unsigned k = 1; k < t.rank(); ++k) bytes += (t.sizes[k] - 1) * t.strides[k - 1];
  return bytes;
}

// Of a box in shared memory, whose rows are as far apart as the swizzle spans.
unsigned shared_extent(const TensorChoice& t) {
  constexpr unsigned kSpans[] = {0, 32, 64, 128, 128, 128, 128};
  return t.rows() * std::max(t.box_bytes() / t.rows(), kSpans[t.swizzle]);
}

void lay_out(Choose& choose, TensorChoice& t) {
  uint64_t pitch = t.sizes[0] * t.element_bytes();
  for (unsigned k = 1; k < t.rank(); ++k) {
    pitch = (pitch + 15) / 16 * 16 + (choose.one_in(4) ? 16 : 0);
    t.strides.push_back(pitch);
    pitch *= t.sizes[k];
  }
}

TensorChoice tiles(Choose& choose, const std::vector<int>& types) {
  TensorChoice t;
  t.type = choose.of(types);
  const unsigned rank = 1 + choose.below(5), in_16_bytes = 16 / t.element_bytes();
  for (unsigned k = 0; k < rank; ++k) {
    t.sizes.push_back(1 + choose.below(k == 0 ? 40 : 7));
    t.box.push_back(k == 0 ? in_16_bytes * (1 + choose.below(4)) : 1 + choose.below(4));
    t.steps.push_back(k > 0 && choose.one_in(6) ? 2 : 1);
  }
  lay_out(choose, t);
  t.swizzle = static_cast<int>(choose.below(4));
  return t;
}

TensorChoice matrix(Choose& choose, const std::vector<int>& types) {
  TensorChoice t;
  t.type = choose.of(types);
  t.sizes = {1 + choose.below(40), 1 + choose.below(12)}, t.box = {16 / t.element_bytes() * (1 + choose.below(4)), 1},
  t.steps = {1, 1};
  lay_out(choose, t);
  t.swizzle = static_cast<int>(choose.below(4));
  t.four_rows = true;
  return t;
}

TensorChoice pixels(Choose& choose, const std::vector<int>& types) {
  TensorChoice t;
  t.type = choose.of(types);
  const unsigned rank = 3 + choose.below(3), in_16_bytes = 16 / t.element_bytes();
  for (unsigned k = 0; k < rank; ++k) {
    t.sizes.push_back(k == 0 ? 1 + choose.below(3 * in_16_bytes) : 1 + choose.below(5));
    t.steps.push_back(1);
  }
  for (unsigned k = 0; k + 2 < rank; ++k) {
    t.lower.push_back(-static_cast<int>(choose.below(3)));
    t.upper.push_back(static_cast<int>(choose.below(3)) - 1);
  }
  lay_out(choose, t);
  t.channels = in_16_bytes * (1 + choose.below(2));
  t.pixels = 1 + choose.below(16);
  t.swizzle = static_cast<int>(choose.below(4));
  return t;
}

// Along W alone, with one of the swizzles that this may have.
TensorChoice wide_pixels(Choose& choose, const std::vector<int>& types) {
  TensorChoice t = pixels(choose, types);
  t.lower.resize(1), t.upper.resize(1);
  t.steps[1] = 1 + choose.below(3);
  t.wide = static_cast<int>(choose.below(2));
  t.swizzle =
      t.wide == 1 ? 2 : 2 + static_cast<int>(choose.below(3));  // 128 pixels have room in spans of 64 bytes alone
  t.halo = choose.below(4);
  return t;
}

using Make = TensorChoice (*)(Choose&, const std::vector<int>&);

// Tries until the driver's rules and the room are kept. On sm_100 a swizzle of 128 bytes may leave more together.
TensorChoice fitting(Choose& choose, Make make, const std::vector<int>& types, size_t room, bool loads, uint32_t slabs,
                     bool newest) {
  constexpr int kAtoms[] = {3, 4, 6, 5};  // the last one flips halves, which can only be loaded
  for (;;) {
    TensorChoice t = make(choose, types);
    if (newest && t.swizzle == 3 && t.wide < 0) t.swizzle = kAtoms[choose.below(loads ? 4 : 3)];
    if (loads && device::is_float(static_cast<device::TensorType>(t.type)) && choose.one_in(3)) t.fill = 1;
    if (slabs > 1) t.sizes.back() = uint64_t{slabs} * t.box.back(), t.steps.back() = 1;
    alignas(64) std::byte map[device::kTensorMapBytes];
    if (extent(t) <= room && shared_extent(t) <= t.staging_bytes() && t.encode(map, 0x10000).ok()) return t;
  }
}

}  // namespace

unsigned TensorChoice::rows() const {
  if (wide == 1) return 128 + 4 * halo;
  if (is_im2col()) return pixels + halo;
  unsigned count = 1;
  for (unsigned k = 1; k < rank(); ++k) count *= (box[k] + steps[k] - 1) / steps[k];
  return count;
}
unsigned TensorChoice::box_bytes() const { return rows() * (is_im2col() ? channels : box[0]) * element_bytes(); }

device::Status TensorChoice::encode(void* map, device::Address address) const {
  const uint64_t none[1] = {};
  device::TensorRequest request{.type = type,
                                .rank = rank(),
                                .address = address,
                                .sizes = sizes.data(),
                                .strides = strides.empty() ? none : strides.data(),
                                .element_strides = steps.data(),
                                .swizzle = swizzle,
                                .fill = fill};
  if (wide >= 0) return device::encode_im2col_wide(map, request, lower[0], upper[0], channels, pixels, wide);
  return is_im2col() ? device::encode_im2col(map, request, lower.data(), upper.data(), channels, pixels)
                     : device::encode_tiled(map, request, box.data());
}

std::string surface_words(const Shape& shape, unsigned geometry) {
  constexpr const char* kRest[] = {"", "x2", "x2x2", "x2", "x2x2"};
  return fmt::format("surface={},u32x4,{}{}", kGeometries[geometry], shape.threads(), kRest[geometry]);
}

size_t surface_bytes(const Shape& shape) { return shape.threads() * size_t{4} * kSurfaceTexel; }

Surroundings surroundings(const Shape& shape) {
  Choose choose(shape.seed ^ 0x5ca1ab1e0ddba115);
  Surroundings s;
  for (unsigned k = 0; k < kTextures; ++k) s.textures[k] = texture(choose, kGeometries[k]);
  using enum device::TensorType;
  auto list = [](std::initializer_list<device::TensorType> types) {
    std::vector<int> numbers;
    for (device::TensorType t : types) numbers.push_back(static_cast<int>(t));
    return numbers;
  };
  const std::vector<int> all = list({U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16, F32Ftz, TF32, TF32Ftz});
  const std::vector<int> reduced = list({U32, S32, U64, S64, F16, BF16, F32});  // what the reductions know
  const bool newest = shape.target == Target::Sm100a;
  s.tensors[kLoadTiles] = fitting(choose, tiles, all, kInputs * 8, true, 1, newest);
  s.tensors[kLoadPixels] =
      fitting(choose, newest && choose.one_in(2) ? wide_pixels : pixels, all, kInputs * 8, true, 1, newest);
  s.tensors[kStoreTiles] = fitting(choose, tiles, reduced, kBoxesBytes, false, shape.blocks(), newest);
  s.tensors[kStorePixels] = fitting(choose, pixels, reduced, kBoxesBytes, false, 1, newest);
  if (newest && !choose.one_in(4)) {
    s.tensors[kLoadTiles] = fitting(choose, matrix, all, kInputs * 8, true, 1, newest);
    s.tensors[kStoreTiles] = fitting(choose, matrix, reduced, kBoxesBytes, false, shape.blocks(), newest);
  }
  return s;
}

}  // namespace warpwise::random_programs
