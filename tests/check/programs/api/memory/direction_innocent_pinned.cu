// clean: pinned memory has an address of the device as well, and two of those go with each direction
int main() {
  int *pinned, *other, *p, *managed;
  cudaMallocHost(&pinned, 64);
  cudaMallocHost(&other, 64);
  cudaMalloc(&p, 64);
  cudaMallocManaged(&managed, 64);
  for (int i = 0; i < 16; ++i) pinned[i] = managed[i] = i;
  cudaMemcpy(p, pinned, 64, cudaMemcpyHostToDevice);
  cudaMemcpy(p, pinned, 64, cudaMemcpyDeviceToDevice);
  cudaMemcpy(p, pinned, 64, cudaMemcpyDefault);
  cudaMemcpy(p, managed, 64, cudaMemcpyDeviceToHost);
  cudaMemcpy(pinned, p, 64, cudaMemcpyDeviceToHost);
  cudaMemcpy(other, pinned, 64, cudaMemcpyHostToDevice);
  cudaFree(p);
  cudaFree(managed);
  cudaFreeHost(pinned);
  cudaFreeHost(other);
}
