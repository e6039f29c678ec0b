// verdict: uninitialised
// why: the lists are exchanged before the first level, too, so it reads the one that is empty
#include <cuda_runtime.h>

__global__ void begin(int* steps, int* queue, int* length, int cells, int start) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) steps[i] = i == start ? 0 : -1;
  if (i == 0) {
    queue[0] = start;
    *length = 0;
  }
}

__global__ void advance(const int* grid, int* steps, const int* front, int size, int* next, int* length, int rows, int cols, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  int cell = front[i], y = cell / cols, x = cell % cols;
  const int dy[] = {-1, 1, 0, 0}, dx[] = {0, 0, -1, 1};
  for (int k = 0; k < 4; ++k) {
    int row = y + dy[k], column = x + dx[k], neighbour = row * cols + column;
    if (row < 0 || row >= rows || column < 0 || column >= cols || grid[neighbour]) continue;
    if (atomicCAS(&steps[neighbour], -1, level + 1) == -1) next[atomicAdd(length, 1)] = neighbour;
  }
}

__global__ void finish(const int* steps, int* result, int end) { *result = steps[end]; }

extern "C" void solve(const int* grid, int* result, int rows, int cols, int start_row, int start_col, int end_row, int end_col) {
  int cells = rows * cols;
  int *steps, *front, *next, *length;
  cudaMalloc(&steps, cells * sizeof(int));
  cudaMalloc(&front, cells * sizeof(int));
  cudaMalloc(&next, cells * sizeof(int));
  cudaMalloc(&length, sizeof(int));
  begin<<<(cells + 255) / 256, 256>>>(steps, front, length, cells, start_row * cols + start_col);
  int size = 1;
  for (int level = 0; size > 0; ++level) {
    int* other = front;
    front = next;
    next = other;
    advance<<<(size + 127) / 128, 128>>>(grid, steps, front, size, next, length, rows, cols, level);
    cudaMemcpy(&size, length, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemset(length, 0, sizeof(int));
  }
  finish<<<1, 1>>>(steps, result, end_row * cols + end_col);
  cudaFree(steps);
  cudaFree(front);
  cudaFree(next);
  cudaFree(length);
}
