// The copy is committed, and no thread waits for it.
#include <cuda_pipeline.h>
__global__ void k(const int* in, int* out) {
  __shared__ int s[32];
  int i = threadIdx.x;
  __pipeline_memcpy_async(&s[i], &in[i], 4);  // finds C0208
  __pipeline_commit();
  out[i] = s[i] + 1;  // finds C0208
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
