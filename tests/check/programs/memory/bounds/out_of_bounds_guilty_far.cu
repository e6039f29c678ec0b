// Far behind an allocation, where the compiler's own variables may lie: it is the allocation that was meant.
__global__ void k(int* p) { p[threadIdx.x + 180] = 1; }  // finds C0101
int main() {
  int* p;
  cudaMalloc(&p, 4);
  k<<<1, 4>>>(p);
  cudaDeviceSynchronize();
  cudaGetLastError();
  cudaFree(p);
}
