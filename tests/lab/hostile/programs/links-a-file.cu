// verdict: does-not-compile
// Names a file of the machine as a library, for the linker.
#include <cuda_runtime.h>
asm(".section .deplibs,\"MS\",@llvm_dependent_libraries,1\n.asciz \"/etc/shadow\"\n.text");

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
