// clean
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() {
  for (int i = 0; i < 20; ++i) {
    int* p;
    cudaMalloc(&p, 128);
    k<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
  }
}
