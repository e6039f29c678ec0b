// A kernel that begins while the one before it ends: what its blocks do until they wait is done meanwhile (programmatic
// dependent launch, CUDA C++ Programming Guide; compute capability 9.0). On the default stream.
#pragma once

#include <cuda_runtime.h>

// Until all that the kernel before has written is there to see. Of a kernel that was launched in the usual way, at
// once.
__device__ inline void wait_for_kernel_before() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
// The kernel behind may begin when all blocks have said so, or have ended.
__device__ inline void let_kernel_behind_begin() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

template <class... Parameters>
void launch_behind(void (*kernel)(Parameters...), int blocks, int threads, size_t bytes, Parameters... arguments) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks), config.blockDim = dim3(threads), config.dynamicSmemBytes = bytes;
  config.attrs = &attribute, config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}
