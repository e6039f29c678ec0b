// clean: cudaFree waits for the kernel
__global__ void set(int* p) { p[threadIdx.x] = 1; }
int main() {
  int* p;
  cudaMalloc(&p, 128);
  set<<<1, 32>>>(p);
  cudaFree(p);
}
