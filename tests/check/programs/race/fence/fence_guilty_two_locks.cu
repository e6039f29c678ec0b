// Each block takes a lock of its own for what they share.
__global__ void k(int* locks, int* n) {
  int* lock = &locks[blockIdx.x % 2];
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *n = *n + 1;  // finds C0203
  __threadfence();
  atomicExch(lock, 0);
}
int main() {
  int* p;
  cudaMalloc(&p, 12);
  cudaMemset(p, 0, 12);
  k<<<8, 1>>>(p, p + 2);
  cudaDeviceSynchronize();
  cudaFree(p);
}
