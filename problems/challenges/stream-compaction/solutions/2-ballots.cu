// solution: as before, with votes instead of scans inside the warps, and sixteen rounds per block
#include <cuda_runtime.h>

constexpr int kThreads = 256, kWarps = kThreads / 32, kRounds = 16;

__device__ int count_of_block(const float* A, int N) {
  __shared__ int part[kWarps];
  int first = blockIdx.x * kThreads * kRounds, count = 0;
  for (int round = 0; round < kRounds; ++round) {
    int i = first + round * kThreads + threadIdx.x;
    count += __popc(__ballot_sync(0xffffffff, i < N && A[i] > 0));
  }
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = count;
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < kWarps; ++w) sum += part[w];
  return sum;
}

__global__ void count(const float* A, int N, int* counts) {
  int sum = count_of_block(A, N);
  if (threadIdx.x == 0) counts[blockIdx.x] = sum;
}

__global__ void scatter(const float* A, int N, const int* counts, float* out) {
  __shared__ int part[2][kWarps], sums[kWarps];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Those in the blocks before: there are few enough blocks to add them up here.
  int before = 0;
  for (int b = threadIdx.x; b < blockIdx.x; b += kThreads) before += counts[b];
  for (int step = 16; step > 0; step /= 2) before += __shfl_xor_sync(0xffffffff, before, step);
  if (lane == 0) sums[warp] = before;
  __syncthreads();
  before = 0;
  for (int w = 0; w < kWarps; ++w) before += sums[w];
  for (int round = 0; round < kRounds; ++round) {
    int i = (blockIdx.x * kRounds + round) * kThreads + threadIdx.x;
    bool stays = i < N && A[i] > 0;
    unsigned votes = __ballot_sync(0xffffffff, stays);
    if (lane == 0) part[round % 2][warp] = __popc(votes);
    __syncthreads();
    int mine = before + __popc(votes & ((1u << lane) - 1));
    for (int w = 0; w < kWarps; ++w) {
      if (w < warp) mine += part[round % 2][w];
      before += part[round % 2][w];
    }
    if (stays) out[mine] = A[i];
  }
}

extern "C" void solve(const float* A, int N, float* out) {
  int blocks = (N + kThreads * kRounds - 1) / (kThreads * kRounds);
  int* counts;
  cudaMalloc(&counts, blocks * sizeof(int));
  count<<<blocks, kThreads>>>(A, N, counts);
  scatter<<<blocks, kThreads>>>(A, N, counts, out);
  cudaFree(counts);
}
