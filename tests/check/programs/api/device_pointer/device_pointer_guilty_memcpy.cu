// memcpy() of the C library where cudaMemcpy() belongs: the call is the program's line, the fault is the library's.
#include <cstdlib>
#include <cstring>

__global__ void k(int* x) { x[threadIdx.x] = 1; }

int main(int count, char**) {
  int* x;
  const size_t bytes = 65536 * count;
  int* host = (int*)std::malloc(bytes);
  cudaMalloc(&x, bytes);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  std::memcpy(host, x, bytes);  // finds R0301
  return host[0] == 7;
}
