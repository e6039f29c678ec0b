// clean: bytes may lie anywhere
__global__ void k(char* p) { p[1 + 3 * threadIdx.x] = 7; }
int main() {
  char* p;
  cudaMalloc(&p, 1024);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
