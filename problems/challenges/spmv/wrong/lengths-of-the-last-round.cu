// verdict: uninitialised
// why: the length is rounded up to whole warps, which was never written
#include <cuda_runtime.h>

// A warp packs the elements of its row that are not zero: at most N of them.
__global__ void compress(const float* A, float* values, int* columns, int* lengths, int M, int N) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= M) return;
  int length = 0;
  for (int first = 0; first < N; first += 32) {
    int k = first + lane;
    float a = k < N ? A[row * N + k] : 0;
    unsigned votes = __ballot_sync(0xffffffff, a != 0);
    if (a != 0) {
      int place = row * N + length + __popc(votes & ((1u << lane) - 1));
      values[place] = a;
      columns[place] = k;
    }
    length += __popc(votes);
  }
  if (lane == 0) lengths[row] = min(N, (length + 31) / 32 * 32);
}

__global__ void multiply(const float* values, const int* columns, const int* lengths, const float* x, float* y, int M, int N) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= M) return;
  float sum = 0;
  for (int k = lane; k < lengths[row]; k += 32) sum += values[row * N + k] * x[columns[row * N + k]];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (lane == 0) y[row] = sum;
}

extern "C" void solve(const float* A, const float* x, float* y, int M, int N, int nnz) {
  float* values;
  int *columns, *lengths;
  cudaMalloc(&values, size_t(M) * N * sizeof(float));
  cudaMalloc(&columns, size_t(M) * N * sizeof(int));
  cudaMalloc(&lengths, M * sizeof(int));
  compress<<<(M + 7) / 8, 256>>>(A, values, columns, lengths, M, N);
  multiply<<<(M + 7) / 8, 256>>>(values, columns, lengths, x, y, M, N);
  cudaFree(values);
  cudaFree(columns);
  cudaFree(lengths);
}
