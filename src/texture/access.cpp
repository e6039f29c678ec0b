#include "texture/access.h"

#include <bit>

#include "texture/query.h"
#include "texture/sample.h"
#include "texture/surface.h"

namespace warpwise::texture {

using device::ImageShape;
using ptx::ImageAccess;
using ptx::ImageGeometry;
using ptx::ImageOperation;

namespace {

bool has_shape(const device::Image& image, ImageGeometry geometry, bool integer) {
  if (image.shape == ImageShape::Linear) return geometry == ImageGeometry::D1 && integer;
  switch (geometry) {
    case ImageGeometry::D1:
      return image.shape == ImageShape::D1 && !image.layered;
    case ImageGeometry::D2:
      return image.shape == ImageShape::D2 && !image.layered;
    case ImageGeometry::D3:
      return image.shape == ImageShape::D3;
    case ImageGeometry::A1:
      return image.shape == ImageShape::D1 && image.layered;
    case ImageGeometry::A2:
      return image.shape == ImageShape::D2 && image.layered;
    case ImageGeometry::Cube:
      return image.shape == ImageShape::Cube && !image.layered;
    case ImageGeometry::ACube:
      return image.shape == ImageShape::Cube && image.layered;
  }
  return false;
}

SampleRequest request_of(const ImageAccess& access, const uint32_t* words) {
  SampleRequest request;
  const unsigned axes = access.coordinates();
  // Hardware has four bits for each component of an offset, the last words (9.7.10.3: -8 to 7).
  if (access.offset)
    for (unsigned k = 0; k < axes; ++k)
      request.offset[k] = static_cast<int32_t>(words[access.words - axes + k] << 28) >> 28;
  if (access.layered()) request.layer = *words++;
  request.integer = access.integer;
  for (unsigned k = 0; k < axes; ++k) {
    request.texel[k] = static_cast<int32_t>(words[k]);
    request.at[k] = std::bit_cast<float>(words[k]);
  }
  words += axes;
  switch (access.operation) {
    case ImageOperation::SampleLevel:
      request.sampling = Sampling::Level;
      request.level = access.integer ? static_cast<float>(static_cast<int32_t>(*words)) : std::bit_cast<float>(*words);
      break;
    case ImageOperation::SampleGrad:
      request.sampling = Sampling::Grad;
      for (unsigned k = 0; k < axes; ++k) {
        request.dx[k] = std::bit_cast<float>(words[k]);
        request.dy[k] = std::bit_cast<float>(words[axes + k]);
      }
      break;
    case ImageOperation::Gather:
      request.sampling = Sampling::Gather;
      request.channel = access.detail;
      break;
    default:
      break;
  }
  return request;
}

void to_halves(const ImageAccess& access, const Words& sampled, uint32_t* results) {
  auto half = [&](unsigned k) -> uint32_t { return float_to_half(std::bit_cast<float>(sampled[k])); };
  for (unsigned k = 0; k < access.elements; ++k)
    results[k] = access.elements == 2 ? half(2 * k) | half(2 * k + 1) << 16 : half(k);
}

}  // namespace

Outcome access_image(const device::TextureDescriptor& texture, const ImageAccess& access, const uint32_t* words,
                     uint32_t* results) {
  if (access.operation == ImageOperation::Query) {
    results[0] = query(texture, access, words);
    return Outcome::Done;
  }
  if (access.operation >= ImageOperation::Load) return access_surface(texture.image, access, words, results);
  if (!has_shape(texture.image, access.geometry, access.integer)) return Outcome::Mismatch;
  const Words sampled = sample(texture, request_of(access, words));
  if (access.half)
    to_halves(access, sampled, results);
  else
    for (unsigned k = 0; k < 4; ++k) results[k] = sampled[k];
  return Outcome::Done;
}

}  // namespace warpwise::texture
