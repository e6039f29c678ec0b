// verdict: wrong-value
// why: computes in half precision
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__global__ void grayscale(const float* input, float* output, int width, int height) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= width * height) return;
  half sum = __hmul(__float2half(0.299f), __float2half(input[3 * pixel]));
  sum = __hfma(__float2half(0.587f), __float2half(input[3 * pixel + 1]), sum);
  sum = __hfma(__float2half(0.114f), __float2half(input[3 * pixel + 2]), sum);
  output[pixel] = __half2float(sum);
}

extern "C" void solve(const float* input, float* output, int width, int height) {
  int threads = 256;
  int pixels = width * height;
  int blocks = (pixels + threads - 1) / threads;
  grayscale<<<blocks, threads>>>(input, output, width, height);
}
