// step: one thread for each row, three passes over it
//
// The definition: the mean, the variance, the scaled and shifted elements.
//
// Expected: far from the memory's bandwidth. Lanes read from 32 different rows, and there are too few rows to fill a
// GPU with threads.
//
// Found (H200, 2026-11-23): 0.05 of a copy at 32768x1024; 0.04 at 16384x4096; 0.02 at 8192x16384; 0.01 at 4096x65536;
// 0.00 at 1024x262144.
#include <cuda_bf16.h>

namespace {

constexpr int kThreads = 128;

__global__ void naive(const __nv_bfloat16* in, const __nv_bfloat16* gamma, const __nv_bfloat16* beta,
                      __nv_bfloat16* out, int rows, int columns, float epsilon) {
  int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  const __nv_bfloat16* x = in + size_t(row) * columns;
  float mean = 0, variance = 0;
  for (int i = 0; i < columns; ++i) mean += __bfloat162float(x[i]);
  mean /= columns;
  for (int i = 0; i < columns; ++i) variance += (__bfloat162float(x[i]) - mean) * (__bfloat162float(x[i]) - mean);
  float scale = rsqrtf(variance / columns + epsilon);
  for (int i = 0; i < columns; ++i)
    out[size_t(row) * columns + i] = __float2bfloat16(
        (__bfloat162float(x[i]) - mean) * scale * __bfloat162float(gamma[i]) + __bfloat162float(beta[i]));
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* in, const __nv_bfloat16* gamma, const __nv_bfloat16* beta,
                      __nv_bfloat16* out, int rows, int columns, float epsilon) {
  naive<<<(rows + kThreads - 1) / kThreads, kThreads>>>(in, gamma, beta, out, rows, columns, epsilon);
}
