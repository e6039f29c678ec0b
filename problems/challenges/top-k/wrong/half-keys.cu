// verdict: wrong-value
// why: the copy is rounded to half precision
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void pad(const float* input, float* work, int N, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) work[i] = i < N ? __half2float(__float2half(input[i])) : -INFINITY;
}

__global__ void step(float* work, int size, int run, int distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ distance;
  if (i >= size || partner < i) return;
  float a = work[i], b = work[partner];
  bool descending = (i & run) == 0;
  if (descending ? a < b : a > b) {
    work[i] = b;
    work[partner] = a;
  }
}

extern "C" void solve(const float* input, float* output, int N, int k) {
  int size = 1;
  while (size < N) size *= 2;
  float* work;
  cudaMalloc(&work, size * sizeof(float));
  int blocks = (size + 255) / 256;
  pad<<<blocks, 256>>>(input, work, N, size);
  for (int run = 2; run <= size; run *= 2)
    for (int distance = run / 2; distance > 0; distance /= 2) step<<<blocks, 256>>>(work, size, run, distance);
  cudaMemcpy(output, work, k * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaFree(work);
}
