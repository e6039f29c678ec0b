// verdict: too-slow
// within: 20
// A destructor of a thread's variable that never returns.
#include <cuda_runtime.h>
struct Late { ~Late() { for (volatile int i = 0;; i = i + 1) {} } };
thread_local Late late;
Late* volatile touched;

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  touched = &late;
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
