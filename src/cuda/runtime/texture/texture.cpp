// Texture and surface objects.
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/texture/texture_descriptor.h"

using namespace warpwise;
using namespace warpwise::cuda;
using device::Image;

namespace {

// A view that equals the array is allowed, as is one of fewer levels.
cudaError_t apply_view(const cudaResourceViewDesc& view, Image* image) {
  const device::ImageLevel& level = image->levels[0];
  const bool whole = view.format == 0 && view.width == level.width &&
                     (view.height == level.height || level.height == 1) && view.firstLayer == 0;
  if (!whole)
    return fail(cudaErrorNotSupported,
                "a resource view of another format, size or range of layers is not supported yet");
  if (view.firstMipmapLevel > view.lastMipmapLevel || view.lastMipmapLevel >= image->level_count)
    return fail(cudaErrorInvalidValue, "levels {} to {} of {}", view.firstMipmapLevel, view.lastMipmapLevel,
                image->level_count);
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
cudaError_t query(const char* function, unsigned long long handle, bool is_surface, const void* place,
                  Answer&& answer) {
  return call(function, [&](Process& process, device::Device&) -> cudaError_t {
    auto object = process.textures.find(handle, is_surface);
    if (!place) return fail(cudaErrorInvalidValue, "the result pointer is null");
    if (!object)
      return fail(cudaErrorInvalidValue, "{:#x} is not a {} object", handle, is_surface ? "surface" : "texture");
    return answer(*object);
  });
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* desc, const cudaResourceViewDesc* view) {
  return call("cudaCreateTextureObject", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!texture || !resource)
      return fail(cudaErrorInvalidValue, "the pointer for the object or the description of its memory is null");
    if (!desc) return fail(cudaErrorInvalidResourceHandle, "no description of the texture");
    device::TextureDescriptor made;
    CUDA_TRY(describe_texture(process, gpu, *resource, *desc, &made));
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
    if (!surface || !resource)
      return fail(cudaErrorInvalidValue, "the pointer for the object or the description is null");
    if (resource->resType != cudaResourceTypeArray)
      return fail(cudaErrorInvalidChannelDescriptor, "a surface is made of an array");
    auto array = process.arrays.find(resource->res.array.array);
    if (!array)
      return fail(cudaErrorInvalidResourceHandle, "{} is not an array", static_cast<void*>(resource->res.array.array));
    uint64_t handle = 0;
    CUDA_TRY(fail(gpu.create_texture({.image = array->image, .sampler = {}, .surface = true}, &handle)));
    process.textures.add(handle, {true, *resource, {}, std::nullopt});
    *surface = handle;
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return destroy("cudaDestroyTextureObject", texture, false);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return destroy("cudaDestroySurfaceObject", surface, true);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* desc, cudaTextureObject_t texture) {
  return query("cudaGetTextureObjectResourceDesc", texture, false, desc,
               [&](const TextureObject& o) { return *desc = o.resource, cudaSuccess; });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* desc, cudaTextureObject_t texture) {
  return query("cudaGetTextureObjectTextureDesc", texture, false, desc,
               [&](const TextureObject& o) { return *desc = o.texture, cudaSuccess; });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* desc, cudaTextureObject_t texture) {
  return query("cudaGetTextureObjectResourceViewDesc", texture, false, desc,
               [&](const TextureObject& o) -> cudaError_t {
                 if (!o.view) return fail(cudaErrorInvalidValue, "the texture was made without a resource view");
                 *desc = *o.view;
                 return cudaSuccess;
               });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* desc, cudaSurfaceObject_t surface) {
  return query("cudaGetSurfaceObjectResourceDesc", surface, true, desc,
               [&](const TextureObject& o) { return *desc = o.resource, cudaSuccess; });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels, const cudaChannelFormatDesc* desc, int number) {
  return call("cudaDeviceGetTexture1DLinearMaxWidth", [&](Process&, device::Device&) -> cudaError_t {
    if (!texels || !desc) return fail(cudaErrorInvalidValue, "the result pointer or the format is null");
    CUDA_TRY(require_device(number));
    device::TexelFormat format;
    CUDA_TRY(texel_format_of(*desc, &format));
    *texels = kMostLinearTexels;
    return cudaSuccess;
  });
}
