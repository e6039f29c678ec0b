#include <cmath>
#include <cstdio>

// The sum of exp(x - maximum): in one pass, and with the maximum known beforehand.
__device__ bool agree(bool rising) {
  float most = -INFINITY, sum = 0, known = 0;
  for (int i = 0; i < 64; ++i) {
    const float x = 0.25f * (rising ? i : 63 - i);
    const float larger = fmaxf(most, x);
    sum = sum * expf(most - larger) + expf(x - larger);
    most = larger;
  }
  for (int i = 0; i < 64; ++i) known += expf(0.25f * i - most);
  return fabsf(sum - known) < 1e-6f * known * 4;
}

__global__ void compare() { printf("%d %d\n", agree(true), agree(false)); }

int main() {
  compare<<<1, 1>>>();
  cudaDeviceSynchronize();
}
