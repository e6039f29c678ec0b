// verdict: forbidden
// says: mmap of shared memory
// Four gigabytes of shared memory, given up after each piece: the pages stay, and are not resident in any process.
#include <cuda_runtime.h>
#include <cstring>
#include <sys/mman.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  for (int piece = 0; piece < 64; ++piece) {
    void* memory = mmap(nullptr, 64 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    memset(memory, 1, 64 << 20);
    madvise(memory, 64 << 20, MADV_DONTNEED);
  }
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
