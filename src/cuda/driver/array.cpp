// Arrays and mipmapped arrays: making, querying and freeing them. Copies are in copy.cpp.
#include "cuda/driver/arrays.h"
#include "cuda/runtime/texture/texture_types.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

static_assert(CUDA_ARRAY3D_LAYERED == cudaArrayLayered && CUDA_ARRAY3D_SURFACE_LDST == cudaArraySurfaceLoadStore &&
              CUDA_ARRAY3D_CUBEMAP == cudaArrayCubemap && CUDA_ARRAY3D_TEXTURE_GATHER == cudaArrayTextureGather &&
              CUDA_ARRAY3D_COLOR_ATTACHMENT == cudaArrayColorAttachment);

namespace {

struct ChannelKind {
  CUarray_format format;
  int bits;
  cudaChannelFormatKind kind;
};
constexpr ChannelKind kChannelKinds[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
    {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
    {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
    {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat},
};

cudaError_t describe(CUarray array, cudaExtent* extent, CUarray_format* format, unsigned* channels, unsigned* flags) {
  cudaChannelFormatDesc desc{};
  CUDA_TRY(cudaArrayGetInfo(&desc, extent, flags, runtime_array(array)));
  return array_format(desc, format, channels);
}

// The runtime accepts a free of null; the driver returns an invalid-handle error.
cudaError_t check_given(const void* handle) {
  return handle ? cudaSuccess : fail(cudaErrorInvalidResourceHandle, "the array is null");
}

}  // namespace

namespace warpwise::cuda::driver {

cudaError_t channel_desc(CUarray_format format, unsigned channels, cudaChannelFormatDesc* out) {
  if (channels != 1 && channels != 2 && channels != 4)
    return fail(cudaErrorInvalidValue, "{} channels: there are 1, 2 or 4", channels);
  for (const ChannelKind& kind : kChannelKinds) {
    if (kind.format != format) continue;
    *out = {kind.bits, channels > 1 ? kind.bits : 0, channels > 2 ? kind.bits : 0, channels > 2 ? kind.bits : 0,
            kind.kind};
    return cudaSuccess;
  }
  return fail(cudaErrorNotSupported,
              "array format {:#x}: of the formats integers of 8 to 32 bits, half and float are supported",
              static_cast<unsigned>(format));
}

cudaError_t array_format(const cudaChannelFormatDesc& desc, CUarray_format* format, unsigned* channels) {
  for (const ChannelKind& kind : kChannelKinds) {
    if (kind.bits != desc.x || kind.kind != desc.f) continue;
    *format = kind.format;
    *channels = desc.y == 0 ? 1 : desc.z == 0 ? 2 : 4;
    return cudaSuccess;
  }
  return fail(cudaErrorNotSupported, "the array's channels have no CUarray_format");
}

}  // namespace warpwise::cuda::driver

CUresult cuArrayCreate_v2(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* what) {
  return forward("cuArrayCreate", [&]() -> cudaError_t {
    if (!array || !what) return fail(cudaErrorInvalidValue, "the pointer for the array or the description is null");
    cudaChannelFormatDesc desc{};
    CUDA_TRY(channel_desc(what->Format, what->NumChannels, &desc));
    return cudaMallocArray(reinterpret_cast<cudaArray_t*>(array), &desc, what->Width, what->Height, 0);
  });
}

CUresult cuArray3DCreate_v2(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* what) {
  return forward("cuArray3DCreate", [&]() -> cudaError_t {
    if (!array || !what) return fail(cudaErrorInvalidValue, "the pointer for the array or the description is null");
    cudaChannelFormatDesc desc{};
    CUDA_TRY(channel_desc(what->Format, what->NumChannels, &desc));
    return cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(array), &desc, {what->Width, what->Height, what->Depth},
                             what->Flags);
  });
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* what, CUarray array) {
  return forward("cuArrayGetDescriptor", [&]() -> cudaError_t {
    CUDA_TRY(check_out(what));
    cudaExtent extent{};
    CUDA_TRY(describe(array, &extent, &what->Format, &what->NumChannels, nullptr));
    what->Width = extent.width;
    what->Height = extent.height;
    return cudaSuccess;
  });
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* what, CUarray array) {
  return forward("cuArray3DGetDescriptor", [&]() -> cudaError_t {
    CUDA_TRY(check_out(what));
    cudaExtent extent{};
    CUDA_TRY(describe(array, &extent, &what->Format, &what->NumChannels, &what->Flags));
    what->Width = extent.width;
    what->Height = extent.height;
    what->Depth = extent.depth;
    return cudaSuccess;
  });
}

CUresult cuArrayDestroy(CUarray array) {
  return forward("cuArrayDestroy", [&]() -> cudaError_t {
    CUDA_TRY(check_given(array));
    return cudaFreeArray(runtime_array(array));
  });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* what, unsigned levels) {
  return forward("cuMipmappedArrayCreate", [&]() -> cudaError_t {
    if (!array || !what) return fail(cudaErrorInvalidValue, "the pointer for the array or the description is null");
    cudaChannelFormatDesc desc{};
    CUDA_TRY(channel_desc(what->Format, what->NumChannels, &desc));
    return cudaMallocMipmappedArray(reinterpret_cast<cudaMipmappedArray_t*>(array), &desc,
                                    {what->Width, what->Height, what->Depth}, levels, what->Flags);
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray array, unsigned number) {
  return forward("cuMipmappedArrayGetLevel", [&] {
    return cudaGetMipmappedArrayLevel(reinterpret_cast<cudaArray_t*>(level), runtime_array(array), number);
  });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  return forward("cuMipmappedArrayDestroy", [&]() -> cudaError_t {
    CUDA_TRY(check_given(array));
    return cudaFreeMipmappedArray(runtime_array(array));
  });
}
