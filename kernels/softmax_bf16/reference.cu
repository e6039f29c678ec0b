// One block for each row, one after the other: the maximum, the sum of exponentials, the quotients.
#include <cuda_bf16.h>

namespace {

constexpr int kThreads = 256;

template <class Combine>
__device__ double combine_all(double mine, Combine combine) {
  __shared__ double parts[kThreads];
  parts[threadIdx.x] = mine;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) parts[threadIdx.x] = combine(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  double all = parts[0];
  __syncthreads();
  return all;
}

__global__ void softmax(const __nv_bfloat16* in, __nv_bfloat16* out, int columns) {
  const __nv_bfloat16* x = in + size_t(blockIdx.x) * columns;
  __nv_bfloat16* y = out + size_t(blockIdx.x) * columns;
  double most = -INFINITY, sum = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) most = fmax(most, double(__bfloat162float(x[i])));
  most = combine_all(most, [](double a, double b) { return fmax(a, b); });
  for (int i = int(threadIdx.x); i < columns; i += kThreads) sum += exp(double(__bfloat162float(x[i])) - most);
  sum = combine_all(sum, [](double a, double b) { return a + b; });
  for (int i = int(threadIdx.x); i < columns; i += kThreads)
    y[i] = __double2bfloat16(exp(double(__bfloat162float(x[i])) - most) / sum);
}

}  // namespace

extern "C" void reference(const __nv_bfloat16* in, __nv_bfloat16* out, int rows, int columns) {
  softmax<<<rows, kThreads>>>(in, out, columns);
}
