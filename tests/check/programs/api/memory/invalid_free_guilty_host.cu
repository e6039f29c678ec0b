#include <cstdlib>
int main() {
  void* p = malloc(100);
  cudaError_t e = cudaFree(p);  // finds C0503
  free(p);
  return e == cudaSuccess;
}
