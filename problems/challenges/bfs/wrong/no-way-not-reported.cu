// verdict: wrong-value
// why: where there is no way the result stays 0
#include <cuda_runtime.h>

__global__ void begin(int* steps, char* marked, int cells, int start) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  steps[i] = i == start ? 0 : -1;
  marked[i] = 0;
}

__global__ void mark(const int* grid, const int* steps, char* marked, int rows, int cols, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols || steps[i] != level) return;
  int y = i / cols, x = i % cols;
  if (y > 0 && !grid[i - cols]) marked[i - cols] = 1;
  if (y < rows - 1 && !grid[i + cols]) marked[i + cols] = 1;
  if (x > 0 && !grid[i - 1]) marked[i - 1] = 1;
  if (x < cols - 1 && !grid[i + 1]) marked[i + 1] = 1;
}

__global__ void join(int* steps, const char* marked, int* grown, int cells, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells || !marked[i] || steps[i] >= 0) return;
  steps[i] = level + 1;
  *grown = 1;
}

__global__ void finish(const int* steps, int* result, int end) { if (steps[end] >= 0) *result = steps[end]; }

extern "C" void solve(const int* grid, int* result, int rows, int cols, int start_row, int start_col, int end_row, int end_col) {
  int cells = rows * cols, blocks = (cells + 255) / 256;
  int *steps, *grown;
  char* marked;
  cudaMalloc(&steps, cells * sizeof(int));
  cudaMalloc(&marked, cells);
  cudaMalloc(&grown, sizeof(int));
  begin<<<blocks, 256>>>(steps, marked, cells, start_row * cols + start_col);
  int more = 1;
  for (int level = 0; more; ++level) {
    cudaMemset(grown, 0, sizeof(int));
    mark<<<blocks, 256>>>(grid, steps, marked, rows, cols, level);
    join<<<blocks, 256>>>(steps, marked, grown, cells, level);
    cudaMemcpy(&more, grown, sizeof(int), cudaMemcpyDeviceToHost);
  }
  finish<<<1, 1>>>(steps, result, end_row * cols + end_col);
  cudaFree(steps);
  cudaFree(marked);
  cudaFree(grown);
}
