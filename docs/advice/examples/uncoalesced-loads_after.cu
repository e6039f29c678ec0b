// docs/advice/uncoalesced-loads.md, after.
#include "example.h"

__global__ void row_sums(const float* m, float* sums, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int k = lane; k < 256; k += 32) sum += m[row * 256 + k];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (lane == 0) sums[row] = sum;
}

int main() {
  int n = 1 << 16;
  float *m = zeros<float>(size_t(n) * 256), *sums = zeros<float>(n);
  fill_rows(m, 256);
  row_sums<<<n / 8, 256>>>(m, sums, n);
  finish();
  print(sums, 8);
}
