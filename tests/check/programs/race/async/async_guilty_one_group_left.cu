// Of two groups the later one may still be on its way.
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out) {
  __shared__ int a[32], b[32];
  int i = threadIdx.x;
  __pipeline_memcpy_async(&a[i], &in[i], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&b[i], &in[32 + i], 4);  // finds C0208
  __pipeline_commit();
  __pipeline_wait_prior(1);
  out[i] = a[i] + b[i];  // finds C0208
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 256);
  cudaMemset(in, 0, 256);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
