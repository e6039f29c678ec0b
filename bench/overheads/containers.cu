// A program as people begin one: a kernel, and a host that uses the standard library's heaviest headers.
#include <iostream>
#include <vector>

__global__ void scale(float factor, float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

int main() {
  std::vector<float> x(1000, 2);
  float* on_device;
  cudaMalloc(&on_device, x.size() * sizeof(float));
  cudaMemcpy(on_device, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<4, 256>>>(3, on_device, int(x.size()));
  cudaMemcpy(x.data(), on_device, x.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(on_device);
  for (float value : x)
    if (value != 6) return 1;
  std::cout << x.size() << " numbers scaled\n";
}
