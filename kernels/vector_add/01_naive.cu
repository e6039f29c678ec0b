// step: one thread for each element
//
// Neighbouring threads read neighbouring floats: a warp's 128 bytes are four whole sectors, and nothing is read twice.
// Expected: near the bandwidth of memory already, since a vector sum has one addition for 12 bytes. What is left is the
// number of instructions in flight: each thread has only two loads of 4 bytes under way.
#include <cuda_runtime.h>

__global__ void vector_add_naive(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

extern "C" void solve(const float* a, const float* b, float* sum, int n) {
  constexpr int kThreads = 256;
  vector_add_naive<<<(n + kThreads - 1) / kThreads, kThreads>>>(a, b, sum, n);
}
