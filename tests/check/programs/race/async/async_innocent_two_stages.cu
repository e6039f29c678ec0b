// clean: while one half is used the next is on its way
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out, int steps) {
  __shared__ int s[2][64];
  int i = threadIdx.x, sum = 0;
  __pipeline_memcpy_async(&s[0][i], &in[i], 4);
  __pipeline_commit();
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) __pipeline_memcpy_async(&s[(step + 1) % 2][i], &in[(step + 1) * 64 + i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[step % 2][63 - i];
    __syncthreads();
  }
  out[i] = sum;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 4 * 256);
  cudaMemset(in, 0, 4 * 256);
  cudaMalloc(&out, 256);
  k<<<1, 64>>>(in, out, 4);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
