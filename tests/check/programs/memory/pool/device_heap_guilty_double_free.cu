#include <cstdlib>
__global__ void k() {
  int* p = (int*)malloc(16);
  free(p);
  free(p);  // finds C0112
}
int main() {
  k<<<1, 1>>>();
  return cudaDeviceSynchronize() == cudaErrorInvalidValue;
}
