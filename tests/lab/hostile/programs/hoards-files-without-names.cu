// verdict: forbidden
// says: memfd_create()
// Four gigabytes in files that have no name and are mapped nowhere: they are not resident in any process.
#include <cuda_runtime.h>
#include <algorithm>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  const std::string block(16 << 20, 'x');
  for (int file = 0; file < 128; ++file) {
    const int fd = memfd_create("hoard", 0);
    for (int i = 0; i < 2; ++i)
      if (write(fd, block.data(), block.size()) < 0) return;
  }
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
