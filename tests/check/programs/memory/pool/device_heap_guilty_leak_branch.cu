// One way out of the kernel forgets to free.
#include <cstdlib>
__global__ void k(int* out, int n) {
  int* p = (int*)malloc(64);  // finds C0113
  p[0] = threadIdx.x;
  out[threadIdx.x] = p[0];
  if ((int)threadIdx.x >= n) return;
  free(p);
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out, 16);
  cudaDeviceSynchronize();
  cudaFree(out);
}
