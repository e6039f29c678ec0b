// verdict: uninitialised
// why: the blocks are transposed, the tiles are not
#include <cuda_runtime.h>

constexpr int kTile = 32, kRows = 8;

__global__ void transpose(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[kTile][kTile];
  int column = blockIdx.x * kTile + threadIdx.x, first = blockIdx.y * kTile;
  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (first + y < rows && column < cols) tile[y][threadIdx.x] = input[(first + y) * cols + column];
  __syncthreads();
  int row = blockIdx.y * kTile + threadIdx.x;
  first = blockIdx.x * kTile;
  for (int y = threadIdx.y; y < kTile; y += kRows)
    if (first + y < cols && row < rows) output[(first + y) * rows + row] = tile[y][threadIdx.x];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
  dim3 threads(kTile, kRows);
  dim3 blocks((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose<<<blocks, threads>>>(input, output, rows, cols);
}
