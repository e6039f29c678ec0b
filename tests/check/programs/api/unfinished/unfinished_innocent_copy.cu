// clean: the copy waits for the kernel
__global__ void k(int* p) { *p = 1; }
int main() {
  int host, *p;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
}
