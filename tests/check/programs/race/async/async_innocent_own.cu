// clean: a thread that reads its own copies needs no barrier
#include <cuda_pipeline.h>
__global__ void k(const int4* in, int* out) {
  __shared__ int4 s[32];
  int i = threadIdx.x;
  __pipeline_memcpy_async(&s[i], &in[i], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[i] = s[i].x + s[i].y + s[i].z + s[i].w;
}
int main() {
  int4* in;
  int* out;
  cudaMalloc(&in, 512);
  cudaMemset(in, 0, 512);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
