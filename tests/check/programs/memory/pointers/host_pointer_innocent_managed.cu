// clean
__global__ void k(int* p) { *p = 1; }
int main() {
  int *m, *h;
  cudaMallocManaged(&m, 4);
  cudaMallocHost(&h, 4);
  k<<<1, 1>>>(m);
  k<<<1, 1>>>(h);
  cudaDeviceSynchronize();
  cudaFree(m);
  cudaFreeHost(h);
}
