// docs/advice/data-reuse.md, before.
#include "example.h"

__global__ void product(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

int main() {
  int n = 1024;
  product<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(zeros<float>(n * n), zeros<float>(n * n), zeros<float>(n * n), n);
  finish();
}
