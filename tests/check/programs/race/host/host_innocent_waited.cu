// clean
#include <cstdio>
__global__ void add(int* x, int n) { x[threadIdx.x] += n; }
int main() {
  int* x;
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaMallocManaged(&x, 128);
  for (int i = 0; i < 32; ++i) x[i] = i;
  add<<<1, 32>>>(x, 1);
  cudaDeviceSynchronize();
  x[1] += x[0];
  add<<<1, 32>>>(x, 2);
  cudaEventRecord(event);
  cudaEventSynchronize(event);
  std::printf("%d\n", x[1]);
  cudaFree(x);
}
