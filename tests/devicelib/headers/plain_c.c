/* The runtime API for a C compiler: compiled by headers_test. */
#include <cuda_runtime.h>
int use(void) {
  float4 v = {1, 2, 3, 4};
  struct cudaDeviceProp properties;
  void* p = 0;
  dim3 d = {1, 1, 1};
  if (cudaMalloc(&p, 16) != cudaSuccess) return (int)v.x;
  return (int)cudaGetDeviceProperties(&properties, 0) + (int)d.x;
}
