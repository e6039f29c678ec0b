// solution: sums of large pieces first, one block scans them, then each piece is scanned from where it begins
#include <cuda_runtime.h>

constexpr int kThreads = 256, kMostPieces = 256;

// The inclusive scan of a block's values by shuffles; all threads get the sum of all, too.
__device__ float scan_block(float x, float* total) {
  __shared__ float warps[kThreads / 32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int step = 1; step < 32; step *= 2) {
    float left = __shfl_up_sync(0xffffffff, x, step);
    if (lane >= step) x += left;
  }
  __syncthreads();
  if (lane == 31) warps[warp] = x;
  __syncthreads();
  float sum = 0;
  for (int w = 0; w < kThreads / 32; ++w) {
    if (w == warp) x += sum;
    sum += warps[w];
  }
  *total = sum;
  return x;
}

__global__ void sum_pieces(const float* input, float* sums, int N, int piece) {
  int end = min(N, int(blockIdx.x + 1) * piece);
  float sum = 0, total;
  for (int i = blockIdx.x * piece + threadIdx.x; i < end; i += kThreads) sum += input[i];
  scan_block(sum, &total);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

__global__ void scan_sums(float* sums, int count) {
  float total, mine = threadIdx.x < count ? sums[threadIdx.x] : 0;
  float sum = scan_block(mine, &total);
  if (threadIdx.x < count) sums[threadIdx.x] = sum - mine;
}

__global__ void scan_pieces(const float* input, float* output, const float* sums, int N, int piece) {
  int end = min(N, int(blockIdx.x + 1) * piece);
  float before = sums[blockIdx.x], total;
  for (int first = blockIdx.x * piece; first < end; first += kThreads) {
    int i = first + threadIdx.x;
    float sum = scan_block(i < end ? input[i] : 0, &total);
    if (i < end) output[i] = before + sum;
    before += total;
  }
}

extern "C" void solve(const float* input, float* output, int N) {
  int piece = (N + kMostPieces - 1) / kMostPieces;
  piece = (piece + kThreads - 1) / kThreads * kThreads;
  int pieces = (N + piece - 1) / piece;
  float* sums;
  cudaMalloc(&sums, pieces * sizeof(float));
  sum_pieces<<<pieces, kThreads>>>(input, sums, N, piece);
  scan_sums<<<1, kThreads>>>(sums, pieces);
  scan_pieces<<<pieces, kThreads>>>(input, output, sums, N, piece);
  cudaFree(sums);
}
