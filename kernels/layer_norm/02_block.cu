// step: one block for each row, mean and variance in one pass
//
// Neighbouring lanes read neighbouring elements. Each thread updates its own mean and sum of squared distances as it
// goes (Welford), and the parts combine by shuffles (moments.h).
//
// Expected: two reads and one write instead of three and one; the second read hits the L2 cache for rows up to 16,384.
// A division for each element makes the first pass slow.
//
// Found (H200, 2026-11-23): 0.28 of a copy at 32768x1024; 0.72 at 16384x4096; 0.62 at 8192x16384; 0.51 at 4096x65536;
// 0.51 at 1024x262144.
#include "moments.h"

namespace {

constexpr int kThreads = 512;

__global__ void block(const float* in, const float* gamma, const float* beta, float* out, int columns, float epsilon) {
  __shared__ Moments room[kThreads / 32];
  const float* x = in + size_t(blockIdx.x) * columns;
  float* y = out + size_t(blockIdx.x) * columns;
  Moments part = Moments::nothing();
  for (int i = int(threadIdx.x); i < columns; i += kThreads) part = combine(part, {1, x[i], 0});
  part = of_block(part, room);
  float scale = rsqrtf(part.squares / columns + epsilon);
  for (int i = int(threadIdx.x); i < columns; i += kThreads) y[i] = (x[i] - part.mean) * scale * gamma[i] + beta[i];
}

}  // namespace

extern "C" void solve(const float* in, const float* gamma, const float* beta, float* out, int rows, int columns,
                      float epsilon) {
  block<<<rows, kThreads>>>(in, gamma, beta, out, columns, epsilon);
}
