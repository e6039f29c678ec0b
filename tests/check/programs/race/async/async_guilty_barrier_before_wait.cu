// Each thread waits for its own copies; for the others' a barrier must follow the wait: they may have been waited for or not.
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out) {
  __shared__ int s[64];
  int i = threadIdx.x;
  __pipeline_memcpy_async(&s[i], &in[i], 4);  // finds C0201, C0208
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  out[i] = s[63 - i] + 1;  // finds C0201, C0208
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 256);
  cudaMemset(in, 0, 256);
  cudaMalloc(&out, 256);
  k<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
