// One block for each row: the mean of squares, in double precision.
#include <cuda_bf16.h>

namespace {

constexpr int kThreads = 256;

__device__ double sum_of_block(double mine) {
  __shared__ double parts[kThreads];
  parts[threadIdx.x] = mine;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  double all = parts[0];
  __syncthreads();
  return all;
}

__global__ void rms_norm(const __nv_bfloat16* in, const __nv_bfloat16* gamma, __nv_bfloat16* out, int columns,
                         float epsilon) {
  const __nv_bfloat16* x = in + size_t(blockIdx.x) * columns;
  __nv_bfloat16* y = out + size_t(blockIdx.x) * columns;
  double squares = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads)
    squares += double(__bfloat162float(x[i])) * double(__bfloat162float(x[i]));
  squares = sum_of_block(squares) / columns;
  double scale = 1 / sqrt(squares + epsilon);
  for (int i = int(threadIdx.x); i < columns; i += kThreads)
    y[i] = __float2bfloat16(double(__bfloat162float(x[i])) * scale * double(__bfloat162float(gamma[i])));
}

}  // namespace

extern "C" void reference(const __nv_bfloat16* in, const __nv_bfloat16* gamma, __nv_bfloat16* out, int rows,
                          int columns, float epsilon) {
  rms_norm<<<rows, kThreads>>>(in, gamma, out, columns, epsilon);
}
