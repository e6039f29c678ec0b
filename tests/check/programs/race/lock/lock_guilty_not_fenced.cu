// Nothing keeps the addition behind the taking of the lock. The run hides it: one block after the other has the lock.
__global__ void deposit(int* lock, int* balance) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *balance = *balance + 1;  // finds C0203
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
