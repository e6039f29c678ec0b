// clean: a lock of a block's own needs fences of block scope
__global__ void deposit(int* out) {
  __shared__ int lock, balance;
  if (threadIdx.x == 0) lock = balance = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS_block(&lock, 0, 1) != 0) {
    }
    __threadfence_block();
    balance += 1;
    __threadfence_block();
    atomicExch_block(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = balance;
}
int main() {
  int* out;
  cudaMalloc(&out, 8);
  deposit<<<2, 96>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
