#include <cmath>
#include <cstdio>

__global__ void softmax() {
  const float x[2] = {100.0f, 100.0f};
  float naive = expf(x[0]) / (expf(x[0]) + expf(x[1]));
  float most = fmaxf(x[0], x[1]);
  float stable = expf(x[0] - most) / (expf(x[0] - most) + expf(x[1] - most));
  if (isnan(naive)) printf("nan %.2f\n", stable);
  else printf("%.2f %.2f\n", naive, stable);
}

int main() {
  softmax<<<1, 1>>>();
  cudaDeviceSynchronize();
}
