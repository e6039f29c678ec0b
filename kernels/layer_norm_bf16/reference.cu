// One block for each row: mean and variance in two passes, in double precision.
#include <cuda_bf16.h>

namespace {

constexpr int kThreads = 256;

__device__ double sum_of_block(double mine) {
  __shared__ double parts[kThreads];
  parts[threadIdx.x] = mine;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  double all = parts[0];
  __syncthreads();
  return all;
}

__global__ void layer_norm(const __nv_bfloat16* in, const __nv_bfloat16* gamma, const __nv_bfloat16* beta,
                           __nv_bfloat16* out, int columns, float epsilon) {
  const __nv_bfloat16* x = in + size_t(blockIdx.x) * columns;
  __nv_bfloat16* y = out + size_t(blockIdx.x) * columns;
  double mean = 0, variance = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) mean += double(__bfloat162float(x[i]));
  mean = sum_of_block(mean) / columns;
  for (int i = int(threadIdx.x); i < columns; i += kThreads)
    variance += (double(__bfloat162float(x[i])) - mean) * (double(__bfloat162float(x[i])) - mean);
  variance = sum_of_block(variance) / columns;
  double scale = 1 / sqrt(variance + epsilon);
  for (int i = int(threadIdx.x); i < columns; i += kThreads)
    y[i] = __float2bfloat16((double(__bfloat162float(x[i])) - mean) * scale * double(__bfloat162float(gamma[i])) +
                            double(__bfloat162float(beta[i])));
}

}  // namespace

extern "C" void reference(const __nv_bfloat16* in, const __nv_bfloat16* gamma, const __nv_bfloat16* beta,
                          __nv_bfloat16* out, int rows, int columns, float epsilon) {
  layer_norm<<<rows, kThreads>>>(in, gamma, beta, out, columns, epsilon);
}
