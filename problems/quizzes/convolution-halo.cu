#include <cstdio>

__global__ void sums(int* out, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t + 1] = t < n ? t : 0;
  if (t == 0) s[0] = 0, s[blockDim.x + 1] = 0;
  __syncthreads();
  if (t < n) out[t] = s[t] + s[t + 1] + s[t + 2];
}

int main() {
  int *device, out[5];
  cudaMalloc(&device, sizeof out);
  sums<<<1, 32, 34 * sizeof(int)>>>(device, 5);
  cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
}
