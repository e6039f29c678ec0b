// Adds up in double precision: parts of blocks, then one block adds the parts.
#include "../parts/reference_block.h"

namespace {

using reference_parts::kThreads;

constexpr int kBlocks = 1024;
__device__ double parts[kBlocks];

__global__ void add_up(const float* in, int n) {
  double sum = 0;
  for (size_t i = size_t(blockIdx.x) * kThreads + threadIdx.x; i < size_t(n); i += size_t(kBlocks) * kThreads)
    sum += in[i];
  sum = reference_parts::sum_of_block(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__global__ void add_parts(float* out) {
  double sum = 0;
  for (int i = int(threadIdx.x); i < kBlocks; i += kThreads) sum += parts[i];
  sum = reference_parts::sum_of_block(sum);
  if (threadIdx.x == 0) *out = float(sum);
}

}  // namespace

extern "C" void reference(const float* in, float* out, int n) {
  add_up<<<kBlocks, kThreads>>>(in, n);
  add_parts<<<1, kThreads>>>(out);
}
