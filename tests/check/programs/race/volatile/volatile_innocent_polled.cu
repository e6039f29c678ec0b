// clean: warps of a block wait for each other's flags in shared memory, step by step, without a barrier
__global__ void relay(int* out) {
  __shared__ volatile int at[4];
  __shared__ int value;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) at[warp] = 0;
  if (threadIdx.x == 0) value = 1;
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  for (int step = 1; step <= 3; ++step) {
    while (at[(warp + 3) % 4] < (warp == 0 ? step - 1 : step)) {}
    __threadfence_block();
    value = value + 1;
    __threadfence_block();
    at[warp] = step;
  }
  if (warp == 3) *out = value;
}
int main() {
  int* out;
  cudaMalloc(&out, 4);
  relay<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
