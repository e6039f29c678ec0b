// clean: a fence on either side of what is done under the lock, in one place by exchange, in the other by compare-and-swap
__global__ void deposit(int* lock, int* balance) {
  if (blockIdx.x % 2) {
    while (atomicExch(lock, 1) != 0) {
    }
  } else {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
  }
  __threadfence();
  *balance = *balance + 1;
  __threadfence();
  atomicExch(lock, 0);
}
int main() {
  int* p;
  cudaMalloc(&p, 8);
  cudaMemset(p, 0, 8);
  deposit<<<6, 1>>>(p, p + 1);
  cudaDeviceSynchronize();
  cudaFree(p);
}
