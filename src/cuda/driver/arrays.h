// Arrays are the runtime's: a CUarray is its cudaArray_t under another name. What differs is how an element is
// described, by a format and a number of channels here, by the bits of each channel there.
#pragma once

#include "cuda/driver/call.h"

namespace warpwise::cuda::driver {

inline cudaArray_t runtime_array(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }
inline CUarray driver_array(cudaArray_t array) { return reinterpret_cast<CUarray>(array); }
inline cudaMipmappedArray_t runtime_array(CUmipmappedArray array) {
  return reinterpret_cast<cudaMipmappedArray_t>(array);
}
inline CUmipmappedArray driver_array(cudaMipmappedArray_t array) { return reinterpret_cast<CUmipmappedArray>(array); }

// cudaErrorNotSupported for formats that exist and are not there yet: block-compressed, planar and normalised ones.
cudaError_t channel_desc(CUarray_format format, unsigned channels, cudaChannelFormatDesc* out);
cudaError_t array_format(const cudaChannelFormatDesc& desc, CUarray_format* format, unsigned* channels);

}  // namespace warpwise::cuda::driver
