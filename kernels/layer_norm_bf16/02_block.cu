// step: one block for each row, mean and variance in one pass
//
// Neighbouring lanes read neighbouring elements. Each thread updates its own mean and sum of squared distances as it
// goes (Welford), and the parts combine by shuffles (moments.h).
//
// Expected: two reads and one write instead of three and one; the second read hits the L2 cache for rows up to 16,384.
// A division for each element makes the first pass slow.
//
// Found (H200, 2026-11-23): 0.15 of a copy at 32768x1024; 0.37 at 16384x4096; 0.53 at 8192x16384; 0.34 at 4096x65536;
// 0.34 at 1024x262144.
#include <cuda_bf16.h>

#include "../layer_norm/moments.h"

namespace {

constexpr int kThreads = 512;

__global__ void block(const __nv_bfloat16* in, const __nv_bfloat16* gamma, const __nv_bfloat16* beta,
                      __nv_bfloat16* out, int columns, float epsilon) {
  __shared__ Moments room[kThreads / 32];
  const __nv_bfloat16* x = in + size_t(blockIdx.x) * columns;
  __nv_bfloat16* y = out + size_t(blockIdx.x) * columns;
  Moments part = Moments::nothing();
  for (int i = int(threadIdx.x); i < columns; i += kThreads) part = combine(part, {1, __bfloat162float(x[i]), 0});
  part = of_block(part, room);
  float scale = rsqrtf(part.squares / columns + epsilon);
  for (int i = int(threadIdx.x); i < columns; i += kThreads)
    y[i] = __float2bfloat16((__bfloat162float(x[i]) - part.mean) * scale * __bfloat162float(gamma[i]) +
                            __bfloat162float(beta[i]));
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* in, const __nv_bfloat16* gamma, const __nv_bfloat16* beta,
                      __nv_bfloat16* out, int rows, int columns, float epsilon) {
  block<<<rows, kThreads>>>(in, gamma, beta, out, columns, epsilon);
}
