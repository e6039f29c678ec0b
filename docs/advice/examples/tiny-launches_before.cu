// docs/advice/tiny-launches.md, before.
#include "example.h"

__global__ void step(float* data) { data[threadIdx.x] = data[threadIdx.x] * 0.5f + 1; }

int main() {
  float* data = zeros<float>(256);
  for (int k = 0; k < 200; ++k) step<<<1, 256>>>(data);
  finish();
}
