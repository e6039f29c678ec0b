// step: maximum and sum in one pass, combined by shuffles
//
// A sum of exponentials belongs to the maximum that was subtracted. When a larger one turns up, the sum is scaled. So
// one pass finds both (part.h), and a second one writes. Warps combine their parts in registers, and one barrier does
// for the block.
//
// Expected: two reads and one write instead of three and one. Where the second read hits the L2 cache little is gained;
// rows of 65,536 gain a quarter.
//
// Found (H200, 2026-11-23): 0.41 of a copy at 32768x1024; 0.82 at 16384x4096; 0.63 at 8192x16384; 0.53 at 4096x65536;
// 0.52 at 1024x262144. For short rows it is slower than step 2: 512 threads for 1024 elements, and a branch that
// depends on the data for each.
#include "part.h"

namespace {

constexpr int kThreads = 512;

__global__ void online(const float* in, float* out, int columns) {
  __shared__ SoftmaxPart room[kThreads / 32];
  const float* x = in + size_t(blockIdx.x) * columns;
  float* y = out + size_t(blockIdx.x) * columns;
  SoftmaxPart part = SoftmaxPart::nothing();
  for (int i = int(threadIdx.x); i < columns; i += kThreads) {
    float v = x[i];
    if (v > part.most) part.sum *= exp_fast(part.most - v), part.most = v;
    part.sum += exp_fast(v - base_of(part.most));
  }
  part = of_block(part, room);
  float base = part.most, scale = 1 / part.sum;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) y[i] = exp_fast(x[i] - base) * scale;
}

}  // namespace

extern "C" void solve(const float* in, float* out, int rows, int columns) {
  online<<<rows, kThreads>>>(in, out, columns);
}
