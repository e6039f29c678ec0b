// verdict: uninitialised
// why: threads without a number return, and with them whole warps whose counts the others add up
#include <cuda_runtime.h>

constexpr int kThreads = 256, kWarps = kThreads / 32;

// How many zeros are in the warps before, and in the block: by votes.
__device__ int zeros_before(bool zero, int* total) {
  __shared__ int part[kWarps];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned votes = __ballot_sync(0xffffffff, zero);
  __syncthreads();
  if (lane == 0) part[warp] = __popc(votes);
  __syncthreads();
  int before = __popc(votes & ((1u << lane) - 1)), sum = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w < warp) before += part[w];
    sum += part[w];
  }
  *total = sum;
  return before;
}

__global__ void count(const unsigned* from, int* zeros, int N, int bit) {
  int i = blockIdx.x * kThreads + threadIdx.x, total;
  if (i >= N) return;
  zeros_before(!(from[i] >> bit & 1), &total);
  if (threadIdx.x == 0) zeros[blockIdx.x] = total;
}

// zeros[b] becomes the number of zeros before block b, zeros[blocks] that of all.
__global__ void scan(int* zeros, int blocks) {
  if (threadIdx.x != 0) return;
  int sum = 0;
  for (int b = 0; b < blocks; ++b) {
    int mine = zeros[b];
    zeros[b] = sum;
    sum += mine;
  }
  zeros[blocks] = sum;
}

__global__ void scatter(const unsigned* from, unsigned* to, const int* zeros, int N, int bit, int blocks) {
  int i = blockIdx.x * kThreads + threadIdx.x, total;
  bool zero = i < N && !(from[i] >> bit & 1);
  int before = zeros[blockIdx.x] + zeros_before(zero, &total);
  if (i < N) to[zero ? before : zeros[blocks] + i - before] = from[i];
}

extern "C" void solve(const unsigned int* input, unsigned int* output, int N) {
  int blocks = (N + kThreads - 1) / kThreads;
  int* zeros;
  unsigned* other;
  cudaMalloc(&zeros, (blocks + 1) * sizeof(int));
  cudaMalloc(&other, N * sizeof(unsigned));
  const unsigned* from = input;
  for (int bit = 0; bit < 32; ++bit) {
    unsigned* to = bit % 2 ? output : other;
    count<<<blocks, kThreads>>>(from, zeros, N, bit);
    scan<<<1, 32>>>(zeros, blocks);
    scatter<<<blocks, kThreads>>>(from, to, zeros, N, bit, blocks);
    from = to;
  }
  cudaFree(zeros);
  cudaFree(other);
}
