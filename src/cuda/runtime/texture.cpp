// Texture and surface objects: CUDA's descriptions become the device's (device/texture.h).
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

using namespace warpwise;
using namespace warpwise::cuda;
using device::AddressMode;
using device::Image;
using device::ImageShape;

namespace {

// cudaDeviceProp::textureAlignment and texturePitchAlignment.
constexpr size_t kTextureAlignment = 512, kPitchAlignment = 32;
constexpr size_t kMostLinearTexels = size_t{1} << 30;  // what an H200 answers

cudaError_t linear_image(device::Device& gpu, const cudaResourceDesc& resource, Image* image) {
  const auto& linear = resource.res.linear;
  CUDA_TRY(texel_format_of(linear.desc, &image->format));
  const auto base = reinterpret_cast<device::Address>(linear.devPtr);
  const size_t texels = linear.sizeInBytes / image->format.bytes();
  if (base == 0) return fail(cudaErrorInvalidValue, "a texture of no memory");
  if (base % kTextureAlignment != 0) return fail(cudaErrorInvalidValue, "{:#x} is not aligned to {} bytes", base, kTextureAlignment);
  if (texels > kMostLinearTexels) return fail(cudaErrorInvalidValue, "{} texels of linear memory; 2^30 are the most", texels);
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
  if (base == 0 || pitched.width == 0 || pitched.height == 0) return fail(cudaErrorInvalidValue, "a texture of no memory");
  if (base % kTextureAlignment != 0) return fail(cudaErrorInvalidValue, "{:#x} is not aligned to {} bytes", base, kTextureAlignment);
  if (pitched.pitchInBytes % kPitchAlignment != 0)
    return fail(cudaErrorInvalidValue, "a pitch of {} bytes; texturePitchAlignment is {}", pitched.pitchInBytes, kPitchAlignment);
  if (pitched.width > 131072 || pitched.height > 65000 || pitched.pitchInBytes > 2097120)
    return fail(cudaErrorInvalidValue, "{} x {} texels at a pitch of {} are more than maxTexture2DLinear", pitched.width, pitched.height,
                pitched.pitchInBytes);
  image->shape = ImageShape::D2;
  image->levels[0] = {.base = base, .pitch = pitched.pitchInBytes, .width = static_cast<uint32_t>(pitched.width),
                      .height = static_cast<uint32_t>(pitched.height)};
  return cudaSuccess;
}

cudaError_t image_of(Process& process, device::Device& gpu, const cudaResourceDesc& resource, Image* image) {
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      auto array = process.arrays.find(resource.res.array.array);
      if (!array) return fail(cudaErrorInvalidResourceHandle, "{} is no array", static_cast<void*>(resource.res.array.array));
      *image = array->image;
      return cudaSuccess;
    }
    case cudaResourceTypeMipmappedArray: {
      auto array = process.arrays.find(resource.res.mipmap.mipmap);
      if (!array) return fail(cudaErrorInvalidResourceHandle, "{} is no mipmapped array", static_cast<void*>(resource.res.mipmap.mipmap));
      *image = array->image;
      return cudaSuccess;
    }
    case cudaResourceTypeLinear: return linear_image(gpu, resource, image);
    case cudaResourceTypePitch2D: return pitched_image(resource, image);
  }
  return fail(cudaErrorInvalidValue, "{} is no cudaResourceType", static_cast<unsigned>(resource.resType));
}

cudaError_t sampler_of(const cudaTextureDesc& desc, const Image& image, device::Sampler* sampler) {
  const bool is_float = image.format.channel == device::Channel::Float;
  sampler->linear = desc.filterMode == cudaFilterModeLinear;
  sampler->mip_linear = desc.mipmapFilterMode == cudaFilterModeLinear;
  sampler->normalized = desc.normalizedCoords != 0;
  sampler->normalized_float = desc.readMode == cudaReadModeNormalizedFloat && !is_float;
  sampler->srgb = desc.sRGB != 0;
  if (desc.filterMode > cudaFilterModeLinear || desc.readMode > cudaReadModeNormalizedFloat || desc.mipmapFilterMode > cudaFilterModeLinear)
    return fail(cudaErrorInvalidValue, "a filter or read mode that does not exist");
  if (sampler->normalized_float && image.format.bits == 32)
    return fail(cudaErrorInvalidNormSetting, "32-bit integers cannot be read as normalised floats");
  if (sampler->linear && !is_float && !sampler->normalized_float)
    return fail(cudaErrorInvalidFilterSetting, "linear filtering of integers; read them as normalised floats, or filter by point");
  if (desc.seamlessCubemap && image.shape == ImageShape::Cube && sampler->linear)
    return fail(cudaErrorNotSupported, "seamlessCubemap with linear filtering is not supported yet; without it edges are clamped to their face");
  for (unsigned axis = 0; axis < 3; ++axis) {
    switch (desc.addressMode[axis]) {
      // Without normalised coordinates these two clamp (CUDA runtime API, cudaTextureDesc).
      case cudaAddressModeWrap: sampler->address[axis] = sampler->normalized ? AddressMode::Wrap : AddressMode::Clamp; break;
      case cudaAddressModeMirror: sampler->address[axis] = sampler->normalized ? AddressMode::Mirror : AddressMode::Clamp; break;
      case cudaAddressModeClamp: sampler->address[axis] = AddressMode::Clamp; break;
      case cudaAddressModeBorder: sampler->address[axis] = AddressMode::Border; break;
      default: return fail(cudaErrorInvalidValue, "{} is no cudaTextureAddressMode", static_cast<unsigned>(desc.addressMode[axis]));
    }
  }
  for (unsigned k = 0; k < 4; ++k) sampler->border[k] = desc.borderColor[k];
  sampler->level_bias = desc.mipmapLevelBias;
  sampler->min_level = desc.minMipmapLevelClamp;
  sampler->max_level = desc.maxMipmapLevelClamp;
  sampler->max_anisotropy = desc.maxAnisotropy;
  return cudaSuccess;
}

// A view that changes nothing is allowed, one of fewer levels too.
cudaError_t apply_view(const cudaResourceViewDesc& view, Image* image) {
  const device::ImageLevel& level = image->levels[0];
  const bool whole = view.format == 0 && view.width == level.width && (view.height == level.height || level.height == 1) && view.firstLayer == 0;
  if (!whole) return fail(cudaErrorNotSupported, "a resource view of another format, size or range of layers is not supported yet");
  if (view.firstMipmapLevel > view.lastMipmapLevel || view.lastMipmapLevel >= image->level_count)
    return fail(cudaErrorInvalidValue, "levels {} to {} of {}", view.firstMipmapLevel, view.lastMipmapLevel, image->level_count);
  image->level_count = view.lastMipmapLevel - view.firstMipmapLevel + 1;
  for (uint32_t n = 0; n < image->level_count; ++n) image->levels[n] = image->levels[n + view.firstMipmapLevel];
  return cudaSuccess;
}

cudaError_t destroy(const char* function, unsigned long long handle, bool is_surface) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!process.textures.find(handle, is_surface)) return cudaSuccess;  // as CUDA does
    process.textures.remove(handle);
    return fail(gpu.destroy_texture(handle));
  });
}

template <class Answer>
cudaError_t ask(const char* function, unsigned long long handle, bool is_surface, const void* place, Answer&& answer) {
  return call(function, [&](Process& process, device::Device&) -> cudaError_t {
    auto object = process.textures.find(handle, is_surface);
    if (!place) return fail(cudaErrorInvalidValue, "the place for the answer is null");
    if (!object) return fail(cudaErrorInvalidValue, "{:#x} is no {} object", handle, is_surface ? "surface" : "texture");
    return answer(*object);
  });
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource, const cudaTextureDesc* desc,
                                    const cudaResourceViewDesc* view) {
  return call("cudaCreateTextureObject", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!texture || !resource) return fail(cudaErrorInvalidValue, "no place for the object, or no description of its memory");
    if (!desc) return fail(cudaErrorInvalidResourceHandle, "no description of the texture");
    device::TextureDescriptor made;
    CUDA_TRY(image_of(process, gpu, *resource, &made.image));
    CUDA_TRY(sampler_of(*desc, made.image, &made.sampler));
    if (view) CUDA_TRY(apply_view(*view, &made.image));
    uint64_t handle = 0;
    CUDA_TRY(fail(gpu.create_texture(made, &handle)));
    process.textures.add(handle, {false, *resource, *desc, view ? std::optional(*view) : std::nullopt});
    *texture = handle;
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource) {
  return call("cudaCreateSurfaceObject", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!surface || !resource) return fail(cudaErrorInvalidValue, "no place for the object, or no description");
    if (resource->resType != cudaResourceTypeArray) return fail(cudaErrorInvalidChannelDescriptor, "a surface is made of an array");
    auto array = process.arrays.find(resource->res.array.array);
    if (!array) return fail(cudaErrorInvalidResourceHandle, "{} is no array", static_cast<void*>(resource->res.array.array));
    uint64_t handle = 0;
    CUDA_TRY(fail(gpu.create_texture({array->image, {}}, &handle)));
    process.textures.add(handle, {true, *resource, {}, std::nullopt});
    *surface = handle;
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) { return destroy("cudaDestroyTextureObject", texture, false); }
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) { return destroy("cudaDestroySurfaceObject", surface, true); }

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* desc, cudaTextureObject_t texture) {
  return ask("cudaGetTextureObjectResourceDesc", texture, false, desc, [&](const TextureObject& o) { return *desc = o.resource, cudaSuccess; });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* desc, cudaTextureObject_t texture) {
  return ask("cudaGetTextureObjectTextureDesc", texture, false, desc, [&](const TextureObject& o) { return *desc = o.texture, cudaSuccess; });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* desc, cudaTextureObject_t texture) {
  return ask("cudaGetTextureObjectResourceViewDesc", texture, false, desc, [&](const TextureObject& o) -> cudaError_t {
    if (!o.view) return fail(cudaErrorInvalidValue, "the texture was made without a resource view");
    *desc = *o.view;
    return cudaSuccess;
  });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* desc, cudaSurfaceObject_t surface) {
  return ask("cudaGetSurfaceObjectResourceDesc", surface, true, desc, [&](const TextureObject& o) { return *desc = o.resource, cudaSuccess; });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels, const cudaChannelFormatDesc* desc, int number) {
  return call("cudaDeviceGetTexture1DLinearMaxWidth", [&](Process&, device::Device&) -> cudaError_t {
    if (!texels || !desc) return fail(cudaErrorInvalidValue, "no place for the answer, or no format");
    CUDA_TRY(require_device(number));
    device::TexelFormat format;
    CUDA_TRY(texel_format_of(*desc, &format));
    *texels = kMostLinearTexels;
    return cudaSuccess;
  });
}
