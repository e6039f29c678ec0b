// clean: every assertion holds, those in functions and in loops, too
#include <cassert>
__device__ int next_of(const int* order, int i, int n) {
  assert(order[i] >= 0 && order[i] < n);
  return order[i];
}
__global__ void walk(const int* order, int* out, int n) {
  int at = threadIdx.x;
  for (int step = 0; step < 4; ++step) at = next_of(order, at, n);
  assert(at == (threadIdx.x + 4) % n);
  out[threadIdx.x] = at;
}
int main() {
  int *order, *out, host[32];
  for (int i = 0; i < 32; ++i) host[i] = (i + 1) % 32;
  cudaMalloc(&order, 128);
  cudaMalloc(&out, 128);
  cudaMemcpy(order, host, 128, cudaMemcpyHostToDevice);
  walk<<<1, 32>>>(order, out, 32);
  cudaDeviceSynchronize();
  cudaFree(order);
  cudaFree(out);
}
