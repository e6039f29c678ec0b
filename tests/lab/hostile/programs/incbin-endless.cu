// verdict: does-not-compile
// says: out of memory
// A device without end through the assembler of the host. Compilers may open it.
#include <cuda_runtime.h>
asm(".data\n.incbin \"/dev/urandom\"\n.text");

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
