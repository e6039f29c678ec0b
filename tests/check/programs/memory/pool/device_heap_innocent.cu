// clean: each thread frees what it allocated
#include <cstdlib>
__global__ void k(int* out) {
  int* p = (int*)malloc(16);
  if (!p) return;
  p[0] = threadIdx.x;
  out[threadIdx.x] = p[0];
  free(p);
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
