// step: one block for each row; maximum and sum in one pass
//
// Neighbouring lanes read neighbouring elements, and a part carries its sum along with the maximum that it belongs to
// (../softmax/part.h).
//
// Expected: 2 bytes per lane are 64 per warp and load: half a cache line per request, so that the pipes for requests
// are the limit and not the memory. About half of a copy.
//
// Found (H200, 2026-11-23): 0.22 of a copy at 32768x1024; 0.56 at 16384x4096; 0.64 at 8192x16384; 0.36 at 4096x65536;
// 0.35 at 1024x262144.
#include <cuda_bf16.h>

#include "../softmax/part.h"

namespace {

constexpr int kThreads = 512;

__global__ void online(const __nv_bfloat16* in, __nv_bfloat16* out, int columns) {
  __shared__ SoftmaxPart room[kThreads / 32];
  const __nv_bfloat16* x = in + size_t(blockIdx.x) * columns;
  __nv_bfloat16* y = out + size_t(blockIdx.x) * columns;
  SoftmaxPart part = SoftmaxPart::nothing();
  for (int i = int(threadIdx.x); i < columns; i += kThreads) {
    float v = __bfloat162float(x[i]);
    if (v > part.most) part.sum *= exp_fast(part.most - v), part.most = v;
    part.sum += exp_fast(v - base_of(part.most));
  }
  part = of_block(part, room);
  float base = part.most, scale = 1 / part.sum;
  for (int i = int(threadIdx.x); i < columns; i += kThreads)
    y[i] = __float2bfloat16(exp_fast(__bfloat162float(x[i]) - base) * scale);
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* in, __nv_bfloat16* out, int rows, int columns) {
  online<<<rows, kThreads>>>(in, out, columns);
}
