// verdict: forbidden
// why: the host sorts a copy
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

__global__ void nothing() {}

extern "C" void solve(float* data, int N) {
  std::vector<float> copy(N);
  cudaMemcpy(copy.data(), data, N * sizeof(float), cudaMemcpyDeviceToHost);
  std::sort(copy.begin(), copy.end());
  nothing<<<1, 1>>>();
  cudaMemcpy(data, copy.data(), N * sizeof(float), cudaMemcpyHostToDevice);
}
