// verdict: wrong-value
// why: the distance without walls
#include <cuda_runtime.h>

__global__ void distance(int* result, int rows, int columns) { *result = abs(rows) + abs(columns); }

extern "C" void solve(const int* grid, int* result, int rows, int cols, int start_row, int start_col, int end_row, int end_col) {
  distance<<<1, 1>>>(result, end_row - start_row, end_col - start_col);
}
