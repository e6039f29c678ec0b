// The kind says the opposite of the pointers. The copy works: both have addresses of the device.
// says: from pinned to device memory with cudaMemcpyDeviceToHost
int main() {
  int *pinned, *p;
  cudaMallocHost(&pinned, 64);  // finds C0514
  cudaMalloc(&p, 64);
  for (int i = 0; i < 16; ++i) pinned[i] = i;
  cudaError_t e = cudaMemcpy(p, pinned, 64, cudaMemcpyDeviceToHost);  // finds C0514
  int back[16];
  cudaMemcpy(back, p, 64, cudaMemcpyDeviceToHost);
  cudaFree(p);
  cudaFreeHost(pinned);
  return e != cudaSuccess || back[15] != 15;
}
