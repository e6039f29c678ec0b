// step: one thread for each row, two passes over it
//
// The definition: the mean of the squares, the scaled elements.
//
// Expected: far from the memory's bandwidth. Lanes read from 32 different rows, and there are too few rows to fill a
// GPU with threads.
//
// Found (H200, 2026-11-23): 0.05 of a copy at 32768x1024; 0.05 at 16384x4096; 0.02 at 8192x16384; 0.01 at 4096x65536;
// 0.00 at 1024x262144.
#include <cuda_bf16.h>

namespace {

constexpr int kThreads = 128;

__global__ void naive(const __nv_bfloat16* in, const __nv_bfloat16* gamma, __nv_bfloat16* out, int rows, int columns,
                      float epsilon) {
  int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  const __nv_bfloat16* x = in + size_t(row) * columns;
  float squares = 0;
  for (int i = 0; i < columns; ++i) squares += __bfloat162float(x[i]) * __bfloat162float(x[i]);
  float scale = rsqrtf(squares / columns + epsilon);
  for (int i = 0; i < columns; ++i)
    out[size_t(row) * columns + i] = __float2bfloat16(__bfloat162float(x[i]) * scale * __bfloat162float(gamma[i]));
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* in, const __nv_bfloat16* gamma, __nv_bfloat16* out, int rows, int columns,
                      float epsilon) {
  naive<<<(rows + kThreads - 1) / kThreads, kThreads>>>(in, gamma, out, rows, columns, epsilon);
}
