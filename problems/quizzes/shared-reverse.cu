#include <cstdio>

__global__ void reverse(int* out) {
  __shared__ int s[4];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[3 - threadIdx.x];
}

int main() {
  int *device, out[4];
  cudaMalloc(&device, sizeof out);
  reverse<<<1, 4>>>(device);
  cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
}
