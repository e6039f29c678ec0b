#include <cstdlib>
__global__ void k(int** out) {
  out[threadIdx.x] = (int*)malloc(16);  // finds C0113
}
int main() {
  int** out;
  cudaMalloc(&out, 32 * sizeof(int*));
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
