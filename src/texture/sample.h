// The texture unit, one sample at a time: the reference, which the interpreter uses and with which the vector code
// (warp_sample.h) must agree bit for bit.
//
//     coordinates ── address.h ──► texels and weights ── texel.h ──► numbers ── blend ──► four words
//
// Memory. ImageLevel::base is an address of this process here; callers translate device addresses.
#pragma once

#include <cstdint>

#include "device/texture.h"
#include "texture/texel.h"

namespace warpwise::texture {

enum class Sampling : uint8_t {
  Base,    // tex: level 0, or the bias
  Level,   // tex.level
  Grad,    // tex.grad
  Gather,  // tld4: one channel of the four texels of a bilinear footprint
};

struct SampleRequest {
  Sampling sampling = Sampling::Base;
  bool integer = false;            // coordinates are texel numbers (.s32)
  uint8_t channel = 0;             // Gather
  std::array<float, 3> at{};       // x, y, z; a cube's direction
  std::array<int32_t, 3> texel{};  // integer
  uint32_t layer = 0;
  float level = 0;
  std::array<float, 3> dx{}, dy{};  // Grad: derivatives of the coordinates
  std::array<int32_t, 3> offset{};  // texels added to the coordinates
};

Words sample(const device::TextureDescriptor& texture, const SampleRequest& request);

// A cube's direction: the face, and the coordinates on it from 0 to 1 (CUDA C++ Programming Guide, "Cubemap
// Textures"; OpenGL has the same table).
struct CubePlace {
  uint32_t face;
  float s, t;
};
CubePlace cube_place(float x, float y, float z);

// The weights of four texels {00, 10, 01, 11} that add up to `all` (of 256); a and b are those of the second column and
// row.
std::array<int32_t, 4> bilinear_weights(int32_t a, int32_t b, int32_t all);
// For a volume: x and z first, then each of the four is divided along y. Two slices of {00, 10, 01, 11}.
std::array<int32_t, 8> trilinear_weights(int32_t a, int32_t b, int32_t c, int32_t all);

}  // namespace warpwise::texture
