// A fence of block scope behind a lock that blocks share.
__global__ void deposit(int* lock, int* balance) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence_block();
  *balance = *balance + 1;  // finds C0207
  __threadfence();
  atomicExch(lock, 0);
}
int main() {
  int* p;
  cudaMalloc(&p, 8);
  cudaMemset(p, 0, 8);
  deposit<<<3, 1>>>(p, p + 1);
  cudaDeviceSynchronize();
  cudaFree(p);
}
