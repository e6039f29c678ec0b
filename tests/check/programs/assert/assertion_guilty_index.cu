// The program looks at the error, prints it, and goes on.
#include <cassert>
#include <cstdio>
__global__ void gather(const int* order, const int* in, int* out, int n) {
  int next = order[threadIdx.x];
  assert(next < n);  // finds C0701
  out[threadIdx.x] = in[next];
}
int main() {
  int *order, *in, *out, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i + 1;
  cudaMalloc(&order, 128);
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 128);
  cudaMemcpy(order, host, 128, cudaMemcpyHostToDevice);
  cudaMemset(in, 0, 128);
  gather<<<1, 32>>>(order, in, out, 32);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  cudaFree(order);
  cudaFree(in);
  cudaFree(out);
}
