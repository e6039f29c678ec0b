// clean: threads of one block, fences and flag of block scope
__global__ void k(int* data, int* flag, int* out) {
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    data[b] = 42;
    __threadfence_block();
    atomicExch_block(&flag[b], 1);
  }
  if (threadIdx.x == 32) {
    while (atomicAdd_block(&flag[b], 0) == 0) {
    }
    __threadfence_block();
    out[b] = data[b];
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 24);
  cudaMemset(p, 0, 24);
  k<<<2, 64>>>(p, p + 2, p + 4);
  cudaDeviceSynchronize();
  cudaFree(p);
}
