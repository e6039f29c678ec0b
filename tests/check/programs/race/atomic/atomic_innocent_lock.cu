// clean: a lock, taken and given back by atomics with fences
__global__ void k(int* lock, int* n) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *n = *n + 1;
  __threadfence();
  atomicExch(lock, 0);
}
int main() {
  int* p;
  cudaMalloc(&p, 8);
  cudaMemset(p, 0, 8);
  k<<<8, 1>>>(p, p + 1);
  cudaDeviceSynchronize();
  cudaFree(p);
}
