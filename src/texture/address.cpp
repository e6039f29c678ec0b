#include "texture/address.h"

#include <algorithm>
#include <cmath>

namespace warpwise::texture {

using device::AddressMode;

namespace {

constexpr int kBits = 21;  // fraction bits of a normalised coordinate
constexpr int64_t kOne = int64_t{1} << kBits;

// NaN and subnormals count as zero; values beyond any texture are clamped to a smaller range.
double tame(float coordinate) {
  if (std::isnan(coordinate) || std::fabs(coordinate) < 0x1p-126f) return 0;
  return std::clamp(static_cast<double>(coordinate), -0x1p30, 0x1p30);
}

// The same where the axis repeats: a float from 2^24 on is an even number, so it means 0.
double tame_repeating(float coordinate) { return std::fabs(coordinate) < 0x1p24f ? tame(coordinate) : 0; }

bool repeats(const Axis& axis) {
  return axis.normalized && (axis.mode == AddressMode::Wrap || axis.mode == AddressMode::Mirror);
}

// The coordinate in texels, in units of 1 / 2^kBits (normalised), before it is wrapped.
int64_t scaled(const Axis& axis, float coordinate) {
  double u = repeats(axis) ? tame_repeating(coordinate) : tame(coordinate);
  return static_cast<int64_t>(std::floor(u * kOne)) * axis.size;
}

// The texel after mirroring: 0 1 2 2 1 0 0 1 2 ...
int32_t mirrored(int64_t texel, uint32_t size) {
  const int64_t period = 2 * int64_t{size};
  texel = ((texel % period) + period) % period;
  return static_cast<int32_t>(texel < size ? texel : period - 1 - texel);
}

int32_t place(const Axis& axis, int64_t texel, bool* inside) {
  const int64_t size = axis.size;
  texel += axis.offset;
  *inside = true;
  if (texel >= 0 && texel < size) return static_cast<int32_t>(texel);
  if (axis.mode == AddressMode::Border) {
    *inside = false;
    return 0;
  }
  if (axis.normalized && axis.mode == AddressMode::Mirror) return mirrored(texel, axis.size);
  if (axis.normalized && axis.mode == AddressMode::Wrap) return static_cast<int32_t>(((texel % size) + size) % size);
  return texel < 0 ? 0 : static_cast<int32_t>(size - 1);
}

}  // namespace

Taps taps_linear(const Axis& axis, float coordinate) {
  int64_t position;  // in 1/256 texels from the centre of texel 0
  if (axis.normalized)
    position = (scaled(axis, coordinate) + (kOne >> 9)) >> (kBits - 8);
  else
    position = static_cast<int64_t>(std::floor(tame(coordinate) * 256.0 + 0.5));
  position -= 128;
  Taps taps;
  taps.weight = static_cast<int32_t>(position & 255);
  taps.first = place(axis, position >> 8, &taps.first_inside);
  taps.second = place(axis, (position >> 8) + 1, &taps.second_inside);
  // At a clamped edge both are the same texel, and rounding must not distinguish them.
  const bool clamped = !repeats(axis) && axis.mode != AddressMode::Border;
  if (clamped && taps.first == taps.second) taps.weight = 0;
  return taps;
}

Taps taps_point(const Axis& axis, float coordinate) {
  int64_t texel =
      axis.normalized ? scaled(axis, coordinate) >> kBits : static_cast<int64_t>(std::floor(tame(coordinate)));
  Taps taps;
  taps.first = taps.second = place(axis, texel, &taps.first_inside);
  taps.second_inside = taps.first_inside;
  return taps;
}

Taps taps_integer(const Axis& axis, int32_t texel) {
  Taps taps;
  taps.first = taps.second = place(axis, texel, &taps.first_inside);
  taps.second_inside = taps.first_inside;
  return taps;
}

uint32_t layer_of(uint32_t layer, uint32_t layers) { return std::min(layer, layers - 1); }

}  // namespace warpwise::texture
