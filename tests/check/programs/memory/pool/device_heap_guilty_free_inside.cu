// free() of the middle.
#include <cstdlib>
__global__ void k() {
  int* p = (int*)malloc(16);
  free(p + 1);  // finds C0112
}
int main() {
  k<<<1, 1>>>();
  return cudaDeviceSynchronize() == cudaErrorInvalidValue;
}
