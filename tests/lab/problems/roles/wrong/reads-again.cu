// verdict: over-budget
// why: adds up the whole row anew for each of its elements
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstdio>
#include <vector>

__global__ void work(const float* a, float* sums, int* counts, unsigned char* bytes, float* scratch, half* halves, int* index, float scale, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0;
    int best = 0;
    for (int k = 0; k < cols; ++k) {
      float x = a[r * cols + k];
      sum = 0;
      for (int j = 0; j < cols; ++j) sum += a[r * cols + j];
      if (x > 0.5f) counts[2 * r] += 1;
      if (x >= a[r * cols + best]) best = k;
    }
    scratch[r] = sum;
    sums[r] = scale * scratch[r];
    index[r] = best;
  }
  for (int k = r; k < cols; k += gridDim.x * blockDim.x) {
    bytes[k] = 255 - bytes[k];
    halves[k] = __float2half(a[k]);
  }
}

extern "C" void solve(const float* a, float* sums, int* counts, unsigned char* bytes, float* scratch, half* halves, int* index, float scale, int rows, int cols) {
  work<<<(rows + 31) / 32, 32>>>(a, sums, counts, bytes, scratch, halves, index, scale, rows, cols);
}
