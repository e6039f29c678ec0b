// docs/advice/tiny-launches.md, after.
#include "example.h"

__global__ void steps(float* data, int count) {
  float x = data[threadIdx.x];
  for (int k = 0; k < count; ++k) x = x * 0.5f + 1;
  data[threadIdx.x] = x;
}

int main() {
  float* data = zeros<float>(256);
  steps<<<1, 256>>>(data, 200);
  finish();
}
