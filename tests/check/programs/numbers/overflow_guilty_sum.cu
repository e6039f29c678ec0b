// options: --with=numbers
// A sum of squares, of which one thread has too many.
__global__ void k(int* sums) {
  int sum = 0;
  for (int i = 0; i < 100 * (int)threadIdx.x; ++i) sum += i * i;  // finds C0604
  sums[threadIdx.x] = sum;
}
int main() {
  int* sums;
  cudaMalloc(&sums, 128);
  k<<<1, 32>>>(sums);
  cudaDeviceSynchronize();
  cudaFree(sums);
}
