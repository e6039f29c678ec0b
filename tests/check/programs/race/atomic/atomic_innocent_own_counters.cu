// clean: each block zeroes counters of its own, and only its threads add to them; the next kernel adds them up with atomics
__global__ void count(const int* in, int* counters) {
  int* own = counters + 8 * blockIdx.x;
  if (threadIdx.x < 8) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[in[blockIdx.x * 64 + threadIdx.x] % 8], 1);
  __syncthreads();
  if (threadIdx.x < 8) own[threadIdx.x] *= 2;
}
__global__ void join(const int* counters, int* total) {
  atomicAdd(&total[threadIdx.x], counters[8 * blockIdx.x + threadIdx.x]);
}
int main() {
  int *in, *counters, *total;
  cudaMalloc(&in, 16 * 64 * 4);
  cudaMalloc(&counters, 16 * 8 * 4);
  cudaMalloc(&total, 8 * 4);
  cudaMemset(in, 0, 16 * 64 * 4);
  cudaMemset(total, 0, 8 * 4);
  for (int i = 0; i < 2; ++i) {
    count<<<16, 64>>>(in, counters);
    join<<<16, 8>>>(counters, total);
  }
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(counters);
  cudaFree(total);
}
