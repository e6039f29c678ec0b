// Memory of the program's own that it has registered: the copy back is not waited for.
#include <cstdio>
#include <cstdlib>
__global__ void squares(int* x) { x[threadIdx.x] = threadIdx.x * threadIdx.x; }
int main() {
  const size_t bytes = 1 << 16;
  int *host = (int*)malloc(bytes), *x;
  for (size_t i = 0; i < bytes / 4; ++i) host[i] = 0;
  cudaHostRegister(host, bytes, cudaHostRegisterDefault);
  cudaMalloc(&x, bytes);
  cudaMemset(x, 0, bytes);
  squares<<<1, 256>>>(x);
  cudaMemcpyAsync(host, x, bytes, cudaMemcpyDeviceToHost);  // finds C0205
  std::printf("%d\n", host[8000]);  // finds C0205
  cudaDeviceSynchronize();
  cudaHostUnregister(host);
  std::free(host);
  cudaFree(x);
}
