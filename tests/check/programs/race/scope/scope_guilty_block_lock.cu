// A lock for all blocks, taken with an atomic of block scope.
__global__ void k(int* lock, int* n) {
  while (atomicCAS_block(lock, 0, 1) != 0) {  // finds C0207
  }
  __threadfence();
  *n = *n + 1;  // finds C0207
  __threadfence();
  atomicExch(lock, 0);  // finds C0207
}
int main() {
  int* p;
  cudaMalloc(&p, 8);
  cudaMemset(p, 0, 8);
  k<<<8, 1>>>(p, p + 1);
  cudaDeviceSynchronize();
  cudaFree(p);
}
