// docs/advice/uncoalesced-stores.md, before.
#include "example.h"

__global__ void transpose(const float* in, float* out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

int main() {
  int n = 2048;
  transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(zeros<float>(n * n), zeros<float>(n * n), n);
  finish();
}
