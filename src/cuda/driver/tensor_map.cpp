// Tensor maps: the checks and the 128 bytes are device/tensor_map.h.
#include "device/tensor_map.h"

#include "cuda/driver/call.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

// Compute capability 9.0 introduced tensor maps; some of their modes came with 10.0. `map`: to be sealed for the device
// once it is encoded, or null.
template <class Encode>
CUresult encode(const char* function, void* map, bool for_sm_100, Encode encode) {
  return call(function, Needs::Context, [&](Process&, device::Device& gpu) -> cudaError_t {
    if (gpu.properties().major < 9) return fail(cudaErrorNotSupported, "tensor maps need compute capability 9.0");
    if (for_sm_100 && gpu.properties().major < 10)
      return fail(cudaErrorNotSupported,
                  "wide im2col, packed elements and swizzles that keep more than 16 bytes together need compute "
                  "capability 10.0");
    CUDA_TRY(fail(encode(gpu)));
    return map ? fail(gpu.seal_tensor_map(map)) : cudaSuccess;
  });
}

}  // namespace

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
  const device::TensorRequest request{
      int(type),       rank,         address_of(address), sizes,    strides, element_strides,
      int(interleave), int(swizzle), int(promotion),      int(fill)};
  return encode("cuTensorMapEncodeTiled", map, wants_sm_100(request),
                [&](device::Device&) { return device::encode_tiled(map, request, box); });
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                 const cuuint64_t* sizes, const cuuint64_t* strides, const int* lower, const int* upper,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t* element_strides,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
  const device::TensorRequest request{
      int(type),       rank,         address_of(address), sizes,    strides, element_strides,
      int(interleave), int(swizzle), int(promotion),      int(fill)};
  return encode("cuTensorMapEncodeIm2col", map, wants_sm_100(request),
                [&](device::Device&) { return device::encode_im2col(map, request, lower, upper, channels, pixels); });
}

CUresult cuTensorMapEncodeIm2colWide(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                     const cuuint64_t* sizes, const cuuint64_t* strides, int lower, int upper,
                                     cuuint32_t channels, cuuint32_t pixels, const cuuint32_t* element_strides,
                                     CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
                                     CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                     CUtensorMapFloatOOBfill fill) {
  const device::TensorRequest request{
      int(type),       rank,         address_of(address), sizes,    strides, element_strides,
      int(interleave), int(swizzle), int(promotion),      int(fill)};
  return encode("cuTensorMapEncodeIm2colWide", map, true, [&](device::Device&) {
    return device::encode_im2col_wide(map, request, lower, upper, channels, pixels, int(mode));
  });
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  return encode("cuTensorMapReplaceAddress", nullptr, false,
                [&](device::Device& gpu) { return gpu.readdress_tensor_map(map, address_of(address)); });
}
