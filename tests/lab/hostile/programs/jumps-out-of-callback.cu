// verdict: unwritten
// A longjmp out of a host function, to the stack of another thread.
#include <cuda_runtime.h>
#include <csetjmp>
static jmp_buf place;

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  if (setjmp(place) == 0) {
    cudaLaunchHostFunc(nullptr, [](void*) { longjmp(place, 1); }, nullptr);
    cudaDeviceSynchronize();
  }
}
