// verdict: forbidden
// says: /etc/passwd
// A file of the machine through the assembler of the host.
#include <cuda_runtime.h>
#include <cstdio>
asm(".globl secret\nsecret: .incbin \"/etc/passwd\"\n.byte 0");

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  extern const char secret[] asm("secret");
  puts(secret);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
