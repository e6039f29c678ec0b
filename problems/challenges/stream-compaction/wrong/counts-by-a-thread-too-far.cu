// verdict: uninitialised
// why: the count of a block is written by thread 256, and the last one is 255
#include <cuda_runtime.h>

constexpr int kThreads = 256;

// The inclusive scan of a block's numbers.
__device__ int scan_block(int x) {
  __shared__ int part[2][kThreads];
  int t = threadIdx.x, now = 0;
  __syncthreads();
  part[now][t] = x;
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    part[1 - now][t] = part[now][t] + (t >= step ? part[now][t - step] : 0);
    now = 1 - now;
    __syncthreads();
  }
  return part[now][t];
}

__global__ void count(const float* A, int N, int* counts) {
  int i = blockIdx.x * kThreads + threadIdx.x;
  int upto = scan_block(i < N && A[i] > 0);
  if (threadIdx.x == kThreads) counts[blockIdx.x] = upto;
}

// Counts become the numbers of those in all blocks before.
__global__ void scan_counts(int* counts, int blocks) {
  __shared__ int total;
  int before = 0;
  for (int first = 0; first < blocks; first += kThreads) {
    int b = first + threadIdx.x, mine = b < blocks ? counts[b] : 0;
    int upto = scan_block(mine);
    if (b < blocks) counts[b] = before + upto - mine;
    if (threadIdx.x == kThreads - 1) total = upto;
    __syncthreads();
    before += total;
  }
}

__global__ void scatter(const float* A, int N, const int* before, float* out) {
  int i = blockIdx.x * kThreads + threadIdx.x;
  bool stays = i < N && A[i] > 0;
  int upto = scan_block(stays);
  if (stays) out[before[blockIdx.x] + upto - 1] = A[i];
}

extern "C" void solve(const float* A, int N, float* out) {
  int blocks = (N + kThreads - 1) / kThreads;
  int* counts;
  cudaMalloc(&counts, blocks * sizeof(int));
  count<<<blocks, kThreads>>>(A, N, counts);
  scan_counts<<<1, kThreads>>>(counts, blocks);
  scatter<<<blocks, kThreads>>>(A, N, counts, out);
  cudaFree(counts);
}
