// clean: the guide's sum of sums: the barrier behind the counter keeps the last block's reads behind it
__device__ unsigned arrived = 0;
__shared__ bool last;
__global__ void sum(volatile float* partial, float* out) {
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;
    __threadfence();
    last = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) total += partial[i];
    *out = total;
    arrived = 0;  // finds nothing: no other block comes after the last
  }
}
int main() {
  float *p, *out;
  cudaMalloc(&p, 256);
  cudaMalloc(&out, 4);
  sum<<<64, 32>>>(p, out);
  cudaDeviceSynchronize();
  cudaFree(p);
  cudaFree(out);
}
