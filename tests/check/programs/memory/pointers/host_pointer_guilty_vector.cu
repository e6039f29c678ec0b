#include <vector>
__global__ void k(const float* p, float* out) { out[threadIdx.x] = p[threadIdx.x]; }  // finds C0108
int main() {
  std::vector<float> host(1000, 1.0f);
  float* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(host.data(), out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
