// clean: each thread fences what it wrote, the block meets, and one thread counts for all (the two-stage reduction of many libraries)
__global__ void sum(const float* in, float* partial, unsigned* arrived, float* out) {
  __shared__ bool last;
  partial[blockIdx.x * blockDim.x + threadIdx.x] = 2 * in[blockIdx.x * blockDim.x + threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(arrived, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  float total = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) total += partial[i];
  atomicAdd(out, total);
}
int main() {
  float *in, *partial, *out;
  unsigned* arrived;
  cudaMalloc(&in, 4096);
  cudaMemset(in, 0, 4096);
  cudaMalloc(&partial, 4096);
  cudaMalloc(&out, 4);
  cudaMemset(out, 0, 4);
  cudaMalloc(&arrived, 4);
  cudaMemset(arrived, 0, 4);
  sum<<<8, 128>>>(in, partial, arrived, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(partial);
  cudaFree(out);
  cudaFree(arrived);
}
