// Kernels alone write to the variable of the device; the host has a variable of the same name in another namespace.
// clean
// also by nvcc
#include <cstdio>
__device__ int total = 3;
namespace host {
int total = 3;
}
__global__ void add() { atomicAdd(&total, int(threadIdx.x)); }
int main() {
  add<<<1, 32>>>();
  for (int i = 0; i < 32; ++i) host::total += i;
  int found = 0;
  if (cudaError_t e = cudaMemcpyFromSymbol(&found, total, sizeof found)) std::printf("%s\n", cudaGetErrorName(e));
  return found != host::total;
}
