// cudaDeviceProp in the layouts of CUDA 13 and CUDA 12, and functions that fill either.
#pragma once

#include "cuda/runtime/types.h"
#include "device/properties.h"

#define CUDA_MEMBER(type, name, array, ...) type name array;
#define CUDA_NO_MEMBER(...)

struct cudaDeviceProp {
#define BOTH CUDA_MEMBER
#define CUDA12 CUDA_NO_MEMBER
#define CUDA13 CUDA_MEMBER
#include "cuda/runtime/device/device_properties.inc"
#undef CUDA12
#undef CUDA13
};

struct cudaDeviceProp12 {
#define CUDA12 CUDA_MEMBER
#define CUDA13 CUDA_NO_MEMBER
#include "cuda/runtime/device/device_properties.inc"
#undef BOTH
#undef CUDA12
#undef CUDA13
};

#undef CUDA_MEMBER
#undef CUDA_NO_MEMBER

namespace warpwise::cuda {

// The result of cudaDeviceGetAttribute; false when there is no such attribute.
bool device_attribute(const device::Properties& properties, int ordinal, int attribute, int* value);
cudaDeviceProp device_properties_cuda13(const device::Properties& properties, int ordinal);
cudaDeviceProp12 device_properties_cuda12(const device::Properties& properties, int ordinal);

}  // namespace warpwise::cuda
