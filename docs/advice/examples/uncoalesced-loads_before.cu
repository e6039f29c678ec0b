// docs/advice/uncoalesced-loads.md, before.
#include "example.h"

__global__ void row_sums(const float* m, float* sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 256; ++k) sum += m[row * 256 + k];
  sums[row] = sum;
}

int main() {
  int n = 1 << 16;
  float *m = zeros<float>(size_t(n) * 256), *sums = zeros<float>(n);
  fill_rows(m, 256);
  row_sums<<<n / 256, 256>>>(m, sums, n);
  finish();
  print(sums, 8);
}
