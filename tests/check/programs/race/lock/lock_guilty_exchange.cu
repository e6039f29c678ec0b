// The same with an exchange, and with two warps of a block; the second one has its fence.
__global__ void deposit(int* lock, int* balance) {
  if (threadIdx.x == 0) {
    while (atomicExch(lock, 1) != 0) {
    }
    *balance += 1;  // finds C0201
    __threadfence();
    atomicExch(lock, 0);
  }
  if (threadIdx.x == 32) {
    while (atomicExch(lock, 1) != 0) {
    }
    __threadfence();
    *balance += 2;  // finds C0201
    __threadfence();
    atomicExch(lock, 0);
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 8);
  cudaMemset(p, 0, 8);
  deposit<<<1, 64>>>(p, p + 1);
  cudaDeviceSynchronize();
  cudaFree(p);
}
