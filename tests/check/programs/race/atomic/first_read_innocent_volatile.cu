// clean: a volatile first read, which the compare-and-swap checks
__global__ void k(volatile int* x) {
  int old = *x;
  for (;;) {
    int seen = atomicCAS((int*)x, old, old * 2 + 1);
    if (seen == old) break;
    old = seen;
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 4);
  cudaMemset(x, 0, 4);
  k<<<8, 1>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
