// verdict: too-slow
// within: 20
// An ifunc whose resolver never returns: the loader runs it before anything else.
#include <cuda_runtime.h>
#ifdef __CUDA_ARCH__
extern "C" void resolved();
#else
extern "C" void* resolver() { for (volatile int i = 0;; i = i + 1) {} }
extern "C" void resolved() __attribute__((ifunc("resolver")));
#endif

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  resolved();
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
