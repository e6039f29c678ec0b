// From a coordinate to the texels that it selects, along one axis.
//
// A normalised coordinate is truncated to 21 fraction bits before it is wrapped, mirrored or scaled; the resulting
// position is exact. A linear fetch then takes the two texels around it, with a weight of 8 bits, rounded to nearest
// (CUDA C++ Programming Guide, "Linear Filtering", documents the 8 bits; the rest was measured on an H200).
#pragma once

#include <cstdint>

#include "device/texture.h"

namespace warpwise::texture {

// Two neighbours and the weight of the second, of 256. A point fetch has weight 0 and the same texel twice.
struct Taps {
  int32_t first = 0, second = 0;
  bool first_inside = true, second_inside = true;  // false: the border's colour
  int32_t weight = 0;
};

struct Axis {
  device::AddressMode mode = device::AddressMode::Clamp;
  uint32_t size = 1;
  bool normalized = false;
  int32_t offset = 0;  // texels added to the coordinate, before the address mode applies
};

Taps taps_linear(const Axis& axis, float coordinate);
Taps taps_point(const Axis& axis, float coordinate);
Taps taps_integer(const Axis& axis, int32_t texel);  // coordinates of type .s32

// The layer that a coordinate selects: clamped, and unsigned.
uint32_t layer_of(uint32_t layer, uint32_t layers);

}  // namespace warpwise::texture
