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
  row_sums<<<n / 256, 256>>>(zeros<float>(size_t(n) * 256), zeros<float>(n), n);
  finish();
}
