#include <cstdio>

__global__ void sort(float* x, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = i + 1; k < n; ++k)
      if (__float_as_uint(x[k]) < __float_as_uint(x[i])) {
        float other = x[i];
        x[i] = x[k], x[k] = other;
      }
}

int main() {
  float x[] = {-1, 3, -2, 0.5f}, *device;
  cudaMalloc(&device, sizeof x);
  cudaMemcpy(device, x, sizeof x, cudaMemcpyHostToDevice);
  sort<<<1, 1>>>(device, 4);
  cudaMemcpy(x, device, sizeof x, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("%g %g %g %g\n", x[0], x[1], x[2], x[3]);
}
