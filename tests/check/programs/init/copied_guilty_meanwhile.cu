// The host does something else meanwhile, so a thread of the device's runs the copy: the finding is the call's all the same.
#include <unistd.h>
__global__ void k(int* out) { out[threadIdx.x] = 1; }
int main() {
  int *host, *out;
  cudaMallocHost(&host, 256);
  cudaMalloc(&out, 256);
  k<<<1, 32>>>(out);
  cudaMemcpyAsync(host, out, 256, cudaMemcpyDeviceToHost);  // finds C0304
  usleep(200000);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFreeHost(host);
}
