// Texture and surface objects. The driver packs into one word of flags what the runtime has members for. By default it
// reads integers as fractions of one.
#include <algorithm>

#include "cuda/driver/arrays.h"
#include "cuda/runtime/texture/texture_types.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

constexpr unsigned kKnownFlags = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                                 CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;

cudaError_t runtime_resource(const CUDA_RESOURCE_DESC& resource, cudaResourceDesc* out, cudaChannelFormatDesc* desc) {
  *out = {};
  if (resource.flags) return fail(cudaErrorInvalidValue, "resource flags {:#x}: must be 0", resource.flags);
  out->resType = static_cast<cudaResourceType>(resource.resType);
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      out->res.array.array = runtime_array(resource.res.array.hArray);
      return cudaGetChannelDesc(desc, out->res.array.array);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: {
      out->res.mipmap.mipmap = runtime_array(resource.res.mipmap.hMipmappedArray);
      cudaArray_t level = nullptr;
      CUDA_TRY(cudaGetMipmappedArrayLevel(&level, out->res.mipmap.mipmap, 0));
      return cudaGetChannelDesc(desc, level);
    }
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = resource.res.linear;
      CUDA_TRY(channel_desc(linear.format, linear.numChannels, desc));
      out->res.linear = {pointer_of(linear.devPtr), *desc, linear.sizeInBytes};
      return cudaSuccess;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& pitched = resource.res.pitch2D;
      CUDA_TRY(channel_desc(pitched.format, pitched.numChannels, desc));
      out->res.pitch2D = {pointer_of(pitched.devPtr), *desc, pitched.width, pitched.height, pitched.pitchInBytes};
      return cudaSuccess;
    }
  }
  return fail(cudaErrorInvalidValue, "{} is no CUresourcetype", static_cast<int>(resource.resType));
}

cudaError_t driver_resource(const cudaResourceDesc& resource, CUDA_RESOURCE_DESC* out) {
  *out = {};
  out->resType = static_cast<CUresourcetype>(resource.resType);
  switch (resource.resType) {
    case cudaResourceTypeArray:
      out->res.array.hArray = driver_array(resource.res.array.array);
      break;
    case cudaResourceTypeMipmappedArray:
      out->res.mipmap.hMipmappedArray = driver_array(resource.res.mipmap.mipmap);
      break;
    case cudaResourceTypeLinear: {
      auto& linear = out->res.linear;
      CUDA_TRY(array_format(resource.res.linear.desc, &linear.format, &linear.numChannels));
      linear.devPtr = address_of(resource.res.linear.devPtr);
      linear.sizeInBytes = resource.res.linear.sizeInBytes;
      break;
    }
    case cudaResourceTypePitch2D: {
      auto& pitched = out->res.pitch2D;
      CUDA_TRY(array_format(resource.res.pitch2D.desc, &pitched.format, &pitched.numChannels));
      pitched.devPtr = address_of(resource.res.pitch2D.devPtr);
      pitched.width = resource.res.pitch2D.width;
      pitched.height = resource.res.pitch2D.height;
      pitched.pitchInBytes = resource.res.pitch2D.pitchInBytes;
      break;
    }
  }
  return cudaSuccess;
}

// Integers are read as fractions of one unless the flag says otherwise; 32-bit ones are never.
bool reads_elements(unsigned flags, const cudaChannelFormatDesc& desc) {
  return (flags & CU_TRSF_READ_AS_INTEGER) || desc.f == cudaChannelFormatKindFloat || desc.x == 32;
}

cudaError_t runtime_texture(const CUDA_TEXTURE_DESC& texture, const cudaChannelFormatDesc& channels,
                            cudaTextureDesc* out) {
  if (texture.flags & ~kKnownFlags)
    return fail(cudaErrorInvalidValue, "texture flags {:#x} are not defined", texture.flags & ~kKnownFlags);
  *out = {};
  for (int axis = 0; axis < 3; ++axis)
    out->addressMode[axis] = static_cast<cudaTextureAddressMode>(texture.addressMode[axis]);
  out->filterMode = static_cast<cudaTextureFilterMode>(texture.filterMode);
  out->readMode = reads_elements(texture.flags, channels) ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  out->sRGB = (texture.flags & CU_TRSF_SRGB) != 0;
  out->normalizedCoords = (texture.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  out->disableTrilinearOptimization = (texture.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  out->seamlessCubemap = (texture.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  std::copy(std::begin(texture.borderColor), std::end(texture.borderColor), out->borderColor);
  out->maxAnisotropy = texture.maxAnisotropy;
  out->mipmapFilterMode = static_cast<cudaTextureFilterMode>(texture.mipmapFilterMode);
  out->mipmapLevelBias = texture.mipmapLevelBias;
  out->minMipmapLevelClamp = texture.minMipmapLevelClamp;
  out->maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  return cudaSuccess;
}

void driver_texture(const cudaTextureDesc& texture, CUDA_TEXTURE_DESC* out) {
  *out = {};
  for (int axis = 0; axis < 3; ++axis) out->addressMode[axis] = static_cast<CUaddress_mode>(texture.addressMode[axis]);
  out->filterMode = static_cast<CUfilter_mode>(texture.filterMode);
  auto flag = [&](bool set, unsigned bit) { out->flags |= set ? bit : 0; };
  flag(texture.readMode == cudaReadModeElementType, CU_TRSF_READ_AS_INTEGER);
  flag(texture.sRGB, CU_TRSF_SRGB);
  flag(texture.normalizedCoords, CU_TRSF_NORMALIZED_COORDINATES);
  flag(texture.disableTrilinearOptimization, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION);
  flag(texture.seamlessCubemap, CU_TRSF_SEAMLESS_CUBEMAP);
  std::copy(std::begin(texture.borderColor), std::end(texture.borderColor), out->borderColor);
  out->maxAnisotropy = texture.maxAnisotropy;
  out->mipmapFilterMode = static_cast<CUfilter_mode>(texture.mipmapFilterMode);
  out->mipmapLevelBias = texture.mipmapLevelBias;
  out->minMipmapLevelClamp = texture.minMipmapLevelClamp;
  out->maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
}

cudaResourceViewDesc runtime_view(const CUDA_RESOURCE_VIEW_DESC& view) {
  return {static_cast<unsigned>(view.format),
          view.width,
          view.height,
          view.depth,
          view.firstMipmapLevel,
          view.lastMipmapLevel,
          view.firstLayer,
          view.lastLayer};
}

CUresult resource_of(const char* function, CUDA_RESOURCE_DESC* out, unsigned long long object,
                     cudaError_t (*query)(cudaResourceDesc*, unsigned long long)) {
  return forward(function, [&]() -> cudaError_t {
    CUDA_TRY(check_out(out));
    cudaResourceDesc resource{};
    CUDA_TRY(query(&resource, object));
    return driver_resource(resource, out);
  });
}

}  // namespace

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* texture,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  return forward("cuTexObjectCreate", [&]() -> cudaError_t {
    if (!object || !resource || !texture)
      return fail(cudaErrorInvalidValue, "the pointer for the object or the description is null");
    cudaResourceDesc of{};
    cudaChannelFormatDesc channels{};
    cudaTextureDesc how{};
    CUDA_TRY(runtime_resource(*resource, &of, &channels));
    CUDA_TRY(runtime_texture(*texture, channels, &how));
    cudaResourceViewDesc seen = view ? runtime_view(*view) : cudaResourceViewDesc{};
    return cudaCreateTextureObject(object, &of, &how, view ? &seen : nullptr);
  });
}

CUresult cuTexObjectDestroy(CUtexObject object) {
  return forward("cuTexObjectDestroy", [&] { return cudaDestroyTextureObject(object); });
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* out, CUtexObject object) {
  return resource_of("cuTexObjectGetResourceDesc", out, object, cudaGetTextureObjectResourceDesc);
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* out, CUtexObject object) {
  return forward("cuTexObjectGetTextureDesc", [&]() -> cudaError_t {
    CUDA_TRY(check_out(out));
    cudaTextureDesc texture{};
    CUDA_TRY(cudaGetTextureObjectTextureDesc(&texture, object));
    driver_texture(texture, out);
    return cudaSuccess;
  });
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* out, CUtexObject object) {
  return forward("cuTexObjectGetResourceViewDesc", [&]() -> cudaError_t {
    CUDA_TRY(check_out(out));
    cudaResourceViewDesc view{};
    CUDA_TRY(cudaGetTextureObjectResourceViewDesc(&view, object));
    *out = {static_cast<CUresourceViewFormat>(view.format),
            view.width,
            view.height,
            view.depth,
            view.firstMipmapLevel,
            view.lastMipmapLevel,
            view.firstLayer,
            view.lastLayer,
            {}};
    return cudaSuccess;
  });
}

CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource) {
  return forward("cuSurfObjectCreate", [&]() -> cudaError_t {
    if (!object || !resource)
      return fail(cudaErrorInvalidValue, "the pointer for the object or the description is null");
    cudaResourceDesc of{};
    cudaChannelFormatDesc channels{};
    CUDA_TRY(runtime_resource(*resource, &of, &channels));
    return cudaCreateSurfaceObject(object, &of);
  });
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return forward("cuSurfObjectDestroy", [&] { return cudaDestroySurfaceObject(object); });
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* out, CUsurfObject object) {
  return resource_of("cuSurfObjectGetResourceDesc", out, object, cudaGetSurfaceObjectResourceDesc);
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* texels, CUarray_format format, unsigned channels, CUdevice device) {
  return call("cuDeviceGetTexture1DLinearMaxWidth", Needs::Init, [&]() -> cudaError_t {
    cudaChannelFormatDesc desc{};
    CUDA_TRY(channel_desc(format, channels, &desc));
    return cudaDeviceGetTexture1DLinearMaxWidth(texels, &desc, device);
  });
}
