// step: one thread for each row
//
// Expected: slower per byte than in float: a sector of 32 bytes is read for 2 of them.
//
// Found (H200, 2026-11-23): 0.04 of reading at 4096²; 0.05 at 8192²; 0.09 at 16384².
#include <cuda_bf16.h>

namespace {

constexpr int kThreads = 128;

__global__ void naive(const __nv_bfloat16* a, const __nv_bfloat16* x, __nv_bfloat16* y, int rows, int columns) {
  int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += __bfloat162float(a[size_t(row) * columns + i]) * __bfloat162float(x[i]);
  y[row] = __float2bfloat16(sum);
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* a, const __nv_bfloat16* x, __nv_bfloat16* y, int rows, int columns) {
  naive<<<(rows + kThreads - 1) / kThreads, kThreads>>>(a, x, y, rows, columns);
}
