// step: one thread for each row, three passes over it
//
// The definition, written down. A bfloat16 is widened to a float as soon as it is read, and rounded when it is written.
//
// Expected: as slow as in float, since lanes read from 32 different rows: now a load uses 2 of the 32 bytes of a
// sector.
//
// Found (H200, 2026-11-23): 0.04 of a copy at 32768x1024; 0.04 at 16384x4096; 0.02 at 8192x16384; 0.01 at 4096x65536;
// 0.00 at 1024x262144.
#include <cuda_bf16.h>

namespace {

constexpr int kThreads = 128;

__global__ void naive(const __nv_bfloat16* in, __nv_bfloat16* out, int rows, int columns) {
  int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  const __nv_bfloat16* x = in + size_t(row) * columns;
  __nv_bfloat16* y = out + size_t(row) * columns;
  float most = -INFINITY, sum = 0;
  for (int i = 0; i < columns; ++i) most = fmaxf(most, __bfloat162float(x[i]));
  for (int i = 0; i < columns; ++i) sum += expf(__bfloat162float(x[i]) - most);
  for (int i = 0; i < columns; ++i) y[i] = __float2bfloat16(expf(__bfloat162float(x[i]) - most) / sum);
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* in, __nv_bfloat16* out, int rows, int columns) {
  naive<<<(rows + kThreads - 1) / kThreads, kThreads>>>(in, out, rows, columns);
}
