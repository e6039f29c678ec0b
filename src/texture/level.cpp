#include "texture/level.h"

#include <algorithm>
#include <cmath>

namespace warpwise::texture {

using device::ImageLevel;
using device::ImageShape;
using device::TextureDescriptor;

namespace {

// The longer of the two derivatives, in texels of level 0 (isotropic: OpenGL 4.6, 8.14).
double level_of_gradients(const TextureDescriptor& texture, const SampleRequest& request) {
  const ImageLevel& base = texture.image.levels[0];
  const double size[] = {static_cast<double>(base.width), static_cast<double>(base.height),
                         static_cast<double>(base.depth)};
  const unsigned axes = texture.image.shape == ImageShape::D1 ? 1 : texture.image.shape == ImageShape::D2 ? 2 : 3;
  double x = 0, y = 0;
  for (unsigned k = 0; k < axes; ++k) {
    double scale = texture.sampler.normalized ? size[k] : 1.0;
    x += request.dx[k] * scale * request.dx[k] * scale;
    y += request.dy[k] * scale * request.dy[k] * scale;
  }
  return 0.5 * std::log2(std::max(x, y));
}

double on_grid(float level) { return std::floor(std::isnan(level) ? 0.0 : level * 256.0) / 256; }

}  // namespace

LevelChoice choose_level(const TextureDescriptor& texture, const SampleRequest& request) {
  const uint32_t count = texture.image.level_count;
  if (count == 1) return {};
  double level = 0;
  if (request.sampling == Sampling::Level) level = std::isnan(request.level) ? 0 : request.level;
  if (request.sampling == Sampling::Grad) level = level_of_gradients(texture, request);
  if (request.sampling != Sampling::Base) level += texture.sampler.level_bias;
  const double lowest = on_grid(texture.sampler.min_level),
               highest = std::max(lowest, on_grid(texture.sampler.max_level));
  level = std::clamp(level, lowest, highest);
  level = std::clamp<double>(level, 0, count - 1);
  const int32_t fixed = static_cast<int32_t>(std::floor(level * 256));
  if (!texture.sampler.mip_linear) return {std::min(static_cast<uint32_t>(fixed + 128) >> 8, count - 1), 0};
  LevelChoice choice{static_cast<uint32_t>(fixed) >> 8, fixed & 255};
  if (choice.first + 1 >= count) return {count - 1, 0};
  return choice;
}

}  // namespace warpwise::texture
