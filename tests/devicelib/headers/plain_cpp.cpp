// The runtime API for a host compiler other than Clang: compiled by headers_test.
#include <cuda_runtime.h>

#include <vector>
int use(std::vector<float>& v) {
  float* p = nullptr;
  float4 f = make_float4(1, 2, 3, 4);
  if (cudaMalloc(&p, 16) != cudaSuccess) return static_cast<int>(f.x);
  return cudaMemcpy(v.data(), p, 16, cudaMemcpyDeviceToHost) + static_cast<int>(dim3(2).x);
}
