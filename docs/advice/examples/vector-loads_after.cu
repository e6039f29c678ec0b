// docs/advice/vector-loads.md, after.
#include "example.h"

__global__ void sums(const float4* in, float* out, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int row = 0; row < rows; ++row) {
    float4 four = in[row * 1024 + i % 1024];
    sum += four.x + four.y + four.z + four.w;
  }
  out[i] = sum;
}

int main() {
  int n = 1 << 18;
  sums<<<n / 256, 256>>>(zeros<float4>(64 * 1024), zeros<float>(n), 64);
  finish();
}
