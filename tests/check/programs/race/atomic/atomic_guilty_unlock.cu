// The lock is given back by a plain store.
__global__ void k(int* lock, int* n) {
  while (atomicCAS(lock, 0, 1) != 0) {  // finds C0206
  }
  __threadfence();
  atomicAdd(n, 1);
  __threadfence();
  *lock = 0;  // finds C0206
}
int main() {
  int* p;
  cudaMalloc(&p, 8);
  cudaMemset(p, 0, 8);
  k<<<8, 1>>>(p, p + 1);
  cudaDeviceSynchronize();
  cudaFree(p);
}
