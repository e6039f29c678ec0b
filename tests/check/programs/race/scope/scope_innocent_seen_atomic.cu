// clean: the atomics of block scope in two blocks are in order, since a flag is polled in between
__global__ void k(int* data, int* flag) {
  if (blockIdx.x == 0) {
    atomicExch_block(data, 1);
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) != 1) {
    }
    atomicExch_block(data, 2);
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 8);
  cudaMemset(p, 0, 8);
  k<<<2, 1>>>(p, p + 1);
  cudaDeviceSynchronize();
  cudaFree(p);
}
