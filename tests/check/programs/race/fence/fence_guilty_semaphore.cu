// Blocks take turns at a semaphore, and no fence stands between a block's part of the sum and the next turn (NVIDIA/Fuser pull
// request 2391).
__global__ void split(int* turn, float* sum) {
  if (threadIdx.x == 0)
    while (*(volatile int*)turn != blockIdx.x) {}
  __syncthreads();
  sum[threadIdx.x] += blockIdx.x + threadIdx.x;  // finds C0203
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(turn, blockIdx.x + 1);
}
int main() {
  int* turn;
  float* sum;
  cudaMalloc(&turn, 4);
  cudaMemset(turn, 0, 4);
  cudaMalloc(&sum, 256);
  cudaMemset(sum, 0, 256);
  split<<<4, 64>>>(turn, sum);
  cudaDeviceSynchronize();
  cudaFree(turn);
  cudaFree(sum);
}
