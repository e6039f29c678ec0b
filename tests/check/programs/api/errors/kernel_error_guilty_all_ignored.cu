// options: --only=api
#include <cassert>
__global__ void k(int n) { assert(n == 1); }
int main() {
  int host = 0, *p;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(2);
  cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);  // finds C0512
  cudaFree(p);                                      // finds C0512
}
