// clean: a narrow release within the block, handed on by a wide one, reaches the other block
__global__ void k(int* data, int* flag, int* out) {
  int who = blockIdx.x * 2 + threadIdx.x / 32;
  if (threadIdx.x % 32 != 0 || who == 3) return;
  if (who == 0) {
    *data = 42;
    __threadfence_block();
    atomicExch(flag, 1);
  } else if (who == 1) {
    while (atomicAdd(flag, 0) != 1) {
    }
    __threadfence();
    atomicExch(flag, 2);
  } else {
    while (atomicAdd(flag, 0) != 2) {
    }
    __threadfence();
    *out = *data;
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 12);
  cudaMemset(p, 0, 12);
  k<<<2, 64>>>(p, p + 1, p + 2);
  cudaDeviceSynchronize();
  cudaFree(p);
}
