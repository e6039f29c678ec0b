// verdict: crashed
// says: out of memory
// within: 20
// Reads a byte of each two megabytes of four terabytes: the memory is never resident, its page tables are.
#include <cuda_runtime.h>
#include <sys/mman.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  const size_t bytes = size_t{1} << 42;
  void* memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  for (size_t at = 0; at < bytes; at += 2 << 20) (void)*(static_cast<volatile char*>(memory) + at);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
