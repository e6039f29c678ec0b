// verdict: race
// why: counts are written out while others still count
#include <cuda_runtime.h>

constexpr int kThreads = 256, kWarps = kThreads / 32, kDigits = 16;

__global__ void count(const unsigned* from, int* counts, int N, int shift) {
  __shared__ int mine[kDigits];
  if (threadIdx.x < kDigits) mine[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < N) atomicAdd(&mine[from[i] >> shift & (kDigits - 1)], 1);
  // All blocks' counts of a digit stand together, so that one scan gives the places of all.
  if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}

// Counts become sums of those before, in one block.
__global__ void scan(int* counts, int size) {
  __shared__ int warps[kWarps];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, before = 0;
  for (int first = 0; first < size; first += kThreads) {
    int i = first + threadIdx.x, mine = i < size ? counts[i] : 0, upto = mine;
    for (int step = 1; step < 32; step *= 2) {
      int left = __shfl_up_sync(0xffffffff, upto, step);
      if (lane >= step) upto += left;
    }
    if (lane == 31) warps[warp] = upto;
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < kWarps; ++w) {
      if (w == warp) upto += sum;
      sum += warps[w];
    }
    if (i < size) counts[i] = before + upto - mine;
    before += sum;
    __syncthreads();
  }
}

__global__ void scatter(const unsigned* from, unsigned* to, const int* places, int N, int shift) {
  // One more digit for threads without a number.
  __shared__ int of_warp[kWarps][kDigits + 1];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < kWarps * (kDigits + 1); i += kThreads) of_warp[i / (kDigits + 1)][i % (kDigits + 1)] = 0;
  __syncthreads();
  int i = blockIdx.x * kThreads + threadIdx.x;
  unsigned number = i < N ? from[i] : 0;
  int digit = i < N ? number >> shift & (kDigits - 1) : kDigits;
  unsigned equals = __match_any_sync(0xffffffff, digit);
  int before = __popc(equals & ((1u << lane) - 1));
  if (before == 0) of_warp[warp][digit] = __popc(equals);
  __syncthreads();
  if (i >= N) return;
  for (int w = 0; w < warp; ++w) before += of_warp[w][digit];
  to[places[digit * gridDim.x + blockIdx.x] + before] = number;
}

extern "C" void solve(const unsigned int* input, unsigned int* output, int N) {
  int blocks = (N + kThreads - 1) / kThreads;
  int* counts;
  unsigned* other;
  cudaMalloc(&counts, kDigits * blocks * sizeof(int));
  cudaMalloc(&other, N * sizeof(unsigned));
  const unsigned* from = input;
  for (int pass = 0; pass < 8; ++pass) {
    unsigned* to = pass % 2 ? output : other;
    count<<<blocks, kThreads>>>(from, counts, N, 4 * pass);
    scan<<<1, kThreads>>>(counts, kDigits * blocks);
    scatter<<<blocks, kThreads>>>(from, to, counts, N, 4 * pass);
    from = to;
  }
  cudaFree(counts);
  cudaFree(other);
}
