// verdict: forbidden
// why: the host does the work and copies the result to the device
#include <cuda_runtime.h>

#include <vector>

__global__ void nothing() {}

extern "C" void solve(const float* A, int N, float* out) {
  std::vector<float> a(N), kept(N);
  cudaMemcpy(a.data(), A, N * sizeof(float), cudaMemcpyDeviceToHost);
  int count = 0;
  for (float x : a)
    if (x > 0) kept[count++] = x;
  nothing<<<1, 1>>>();
  cudaMemcpy(out, kept.data(), N * sizeof(float), cudaMemcpyHostToDevice);
}
