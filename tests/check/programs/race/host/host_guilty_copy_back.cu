// An asynchronous copy has not been waited for.
#include <cstdio>
int main() {
  int *x, *host;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  cudaMallocHost(&host, 128);
  cudaMemcpyAsync(host, x, 128, cudaMemcpyDeviceToHost);  // finds C0205
  std::printf("%d\n", host[31]);  // finds C0205
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFreeHost(host);
}
