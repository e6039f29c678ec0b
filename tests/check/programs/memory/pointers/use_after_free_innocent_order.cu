// clean: the free waits for the kernel
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  k<<<1, 32>>>(p);
  cudaFree(p);
}
