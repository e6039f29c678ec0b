// docs/advice/uncoalesced-loads.md, after.
#include "example.h"

__global__ void column_sums(const float* m, float* sums, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 256; ++k) sum += m[k * n + column];
  sums[column] = sum;
}

int main() {
  int n = 1 << 16;
  column_sums<<<n / 256, 256>>>(zeros<float>(size_t(n) * 256), zeros<float>(n), n);
  finish();
}
