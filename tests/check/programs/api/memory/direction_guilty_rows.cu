// Rows, too.
// says: from pinned to device memory with cudaMemcpyDeviceToHost
int main() {
  char *pinned, *p;
  size_t pitch;
  cudaMallocHost(&pinned, 64);  // finds C0514
  cudaMallocPitch(&p, &pitch, 16, 4);
  for (int i = 0; i < 64; ++i) pinned[i] = char(i);
  cudaError_t e = cudaMemcpy2D(p, pitch, pinned, 16, 16, 4, cudaMemcpyDeviceToHost);  // finds C0514
  char back[64] = {};
  cudaMemcpy2D(back, 16, p, pitch, 16, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  cudaFreeHost(pinned);
  return e != cudaSuccess || back[63] != 63;
}
