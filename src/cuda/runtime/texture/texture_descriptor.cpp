#include "cuda/runtime/texture/texture_descriptor.h"

#include "cuda/runtime/process.h"

namespace warpwise::cuda {

using device::AddressMode;
using device::Image;
using device::ImageShape;

namespace {

constexpr size_t kPitchAlignment = 32;  // cudaDeviceProp::texturePitchAlignment

cudaError_t linear_image(device::Device& gpu, const cudaResourceDesc& resource, Image* image) {
  const auto& linear = resource.res.linear;
  CUDA_TRY(texel_format_of(linear.desc, &image->format));
  const auto base = reinterpret_cast<device::Address>(linear.devPtr);
  const size_t texels = linear.sizeInBytes / image->format.bytes();
  if (base == 0) return fail(cudaErrorInvalidValue, "a texture of no memory");
  if (base % kTextureAlignment != 0)
    return fail(cudaErrorInvalidValue, "{:#x} is not aligned to {} bytes", base, kTextureAlignment);
  if (texels > kMostLinearTexels)
    return fail(cudaErrorInvalidValue, "{} texels of linear memory; 2^30 are the most", texels);
  auto allocation = gpu.find_allocation(base);
  if (!allocation) return fail(cudaErrorInvalidValue, "{:#x} is not an address of the device", base);
  image->shape = ImageShape::Linear;
  image->levels[0] = {.base = base, .width = static_cast<uint32_t>(texels)};
  return cudaSuccess;
}

cudaError_t pitched_image(const cudaResourceDesc& resource, Image* image) {
  const auto& pitched = resource.res.pitch2D;
  CUDA_TRY(texel_format_of(pitched.desc, &image->format));
  const auto base = reinterpret_cast<device::Address>(pitched.devPtr);
  if (base == 0 || pitched.width == 0 || pitched.height == 0)
    return fail(cudaErrorInvalidValue, "a texture of no memory");
  if (base % kTextureAlignment != 0)
    return fail(cudaErrorInvalidValue, "{:#x} is not aligned to {} bytes", base, kTextureAlignment);
  if (pitched.pitchInBytes % kPitchAlignment != 0)
    return fail(cudaErrorInvalidValue, "a pitch of {} bytes; texturePitchAlignment is {}", pitched.pitchInBytes,
                kPitchAlignment);
  if (pitched.width > 131072 || pitched.height > 65000 || pitched.pitchInBytes > 2097120)
    return fail(cudaErrorInvalidValue, "{} x {} texels at a pitch of {} are more than maxTexture2DLinear",
                pitched.width, pitched.height, pitched.pitchInBytes);
  image->shape = ImageShape::D2;
  image->levels[0] = {.base = base,
                      .pitch = pitched.pitchInBytes,
                      .width = static_cast<uint32_t>(pitched.width),
                      .height = static_cast<uint32_t>(pitched.height)};
  return cudaSuccess;
}

cudaError_t image_of(Process& process, device::Device& gpu, const cudaResourceDesc& resource, Image* image) {
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      auto array = process.arrays.find(resource.res.array.array);
      if (!array)
        return fail(cudaErrorInvalidResourceHandle, "{} is not an array", static_cast<void*>(resource.res.array.array));
      *image = array->image;
      return cudaSuccess;
    }
    case cudaResourceTypeMipmappedArray: {
      auto array = process.arrays.find(resource.res.mipmap.mipmap);
      if (!array)
        return fail(cudaErrorInvalidResourceHandle, "{} is not a mipmapped array",
                    static_cast<void*>(resource.res.mipmap.mipmap));
      *image = array->image;
      return cudaSuccess;
    }
    case cudaResourceTypeLinear:
      return linear_image(gpu, resource, image);
    case cudaResourceTypePitch2D:
      return pitched_image(resource, image);
  }
  return fail(cudaErrorInvalidValue, "{} is not a cudaResourceType", static_cast<unsigned>(resource.resType));
}

cudaError_t sampler_of(const cudaTextureDesc& desc, const Image& image, device::Sampler* sampler) {
  const bool is_float = image.format.channel == device::Channel::Float;
  sampler->linear = desc.filterMode == cudaFilterModeLinear;
  sampler->mip_linear = desc.mipmapFilterMode == cudaFilterModeLinear;
  sampler->normalized = desc.normalizedCoords != 0;
  sampler->normalized_float = desc.readMode == cudaReadModeNormalizedFloat && !is_float;
  sampler->srgb = desc.sRGB != 0;
  if (desc.filterMode > cudaFilterModeLinear || desc.readMode > cudaReadModeNormalizedFloat ||
      desc.mipmapFilterMode > cudaFilterModeLinear)
    return fail(cudaErrorInvalidValue, "a filter or read mode that does not exist");
  if (sampler->normalized_float && image.format.bits == 32)
    return fail(cudaErrorInvalidNormSetting, "32-bit integers cannot be read as normalised floats");
  if (sampler->linear && !is_float && !sampler->normalized_float)
    return fail(cudaErrorInvalidFilterSetting,
                "linear filtering of integers; read them as normalised floats, or filter by point");
  if (desc.seamlessCubemap && image.shape == ImageShape::Cube && sampler->linear)
    return fail(
        cudaErrorNotSupported,
        "seamlessCubemap with linear filtering is not supported yet; without it edges are clamped to their face");
  for (unsigned axis = 0; axis < 3; ++axis) {
    switch (desc.addressMode[axis]) {
      // Without normalised coordinates these two modes clamp (CUDA runtime API, cudaTextureDesc).
      case cudaAddressModeWrap:
        sampler->address[axis] = sampler->normalized ? AddressMode::Wrap : AddressMode::Clamp;
        break;
      case cudaAddressModeMirror:
        sampler->address[axis] = sampler->normalized ? AddressMode::Mirror : AddressMode::Clamp;
        break;
      case cudaAddressModeClamp:
        sampler->address[axis] = AddressMode::Clamp;
        break;
      case cudaAddressModeBorder:
        sampler->address[axis] = AddressMode::Border;
        break;
      default:
        return fail(cudaErrorInvalidValue, "{} is not a cudaTextureAddressMode",
                    static_cast<unsigned>(desc.addressMode[axis]));
    }
  }
  for (unsigned k = 0; k < 4; ++k) sampler->border[k] = desc.borderColor[k];
  sampler->level_bias = desc.mipmapLevelBias;
  sampler->min_level = desc.minMipmapLevelClamp;
  sampler->max_level = desc.maxMipmapLevelClamp;
  sampler->max_anisotropy = desc.maxAnisotropy;
  return cudaSuccess;
}

}  // namespace

cudaError_t describe_texture(Process& process, device::Device& gpu, const cudaResourceDesc& resource,
                             const cudaTextureDesc& desc, device::TextureDescriptor* out) {
  CUDA_TRY(image_of(process, gpu, resource, &out->image));
  return sampler_of(desc, out->image, &out->sampler);
}

}  // namespace warpwise::cuda
