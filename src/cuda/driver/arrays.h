// Arrays are those of the runtime: a CUarray is its cudaArray_t under another name. The description of an element
// differs: a format and a number of channels in the driver, the bits of each channel in the runtime.
#pragma once

#include "cuda/driver/call.h"

namespace warpwise::cuda::driver {

inline cudaArray_t runtime_array(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }
inline CUarray driver_array(cudaArray_t array) { return reinterpret_cast<CUarray>(array); }
inline cudaMipmappedArray_t runtime_array(CUmipmappedArray array) {
  return reinterpret_cast<cudaMipmappedArray_t>(array);
}
inline CUmipmappedArray driver_array(cudaMipmappedArray_t array) { return reinterpret_cast<CUmipmappedArray>(array); }

// cudaErrorNotSupported for formats that CUDA has and this library has not: block-compressed, planar and normalised
// ones.
cudaError_t channel_desc(CUarray_format format, unsigned channels, cudaChannelFormatDesc* out);
cudaError_t array_format(const cudaChannelFormatDesc& desc, CUarray_format* format, unsigned* channels);

}  // namespace warpwise::cuda::driver
