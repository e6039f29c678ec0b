// One block for each row, in double precision.
#include <cuda_bf16.h>

namespace {

constexpr int kThreads = 256;

__global__ void multiply(const __nv_bfloat16* a, const __nv_bfloat16* x, __nv_bfloat16* y, int columns) {
  __shared__ double parts[kThreads];
  double sum = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads)
    sum += double(__bfloat162float(a[size_t(blockIdx.x) * columns + i])) * __bfloat162float(x[i]);
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = __double2bfloat16(parts[0]);
}

}  // namespace

extern "C" void reference(const __nv_bfloat16* a, const __nv_bfloat16* x, __nv_bfloat16* y, int rows, int columns) {
  multiply<<<rows, kThreads>>>(a, x, y, columns);
}
