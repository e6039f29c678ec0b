// A pointer walks out of the table.
struct Pair { int a, b; };
__constant__ Pair pairs[3];
__device__ int sum(const Pair* p, int n) {
  int s = 0;
  for (; n > 0; --n, ++p) s += p->a + p->b;  // finds C0106
  return s;
}
__global__ void k(int* y, int n) { y[threadIdx.x] = sum(pairs, n); }
int main() {
  int* y;
  cudaMalloc(&y, 128);
  k<<<1, 32>>>(y, 4);
  cudaDeviceSynchronize();
  cudaFree(y);
}
