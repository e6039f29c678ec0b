// A thread for each element of the result, for elements of any type.
#pragma once

#include "../parts/wgmma.h"

__device__ __forceinline__ int multiply_add(int8_t a, int8_t b, int sum) { return sum + a * b; }
__device__ __forceinline__ float multiply_add(__nv_fp8_e4m3 a, __nv_fp8_e4m3 b, float sum) {
  return sum + float(a) * float(b);
}

template <class T>
__global__ void naive(const T* a, const T* b, const float* scale_a, const float* scale_b, __nv_bfloat16* c, int m,
                      int n, int k) {
  int column = int(blockIdx.x * blockDim.x + threadIdx.x), row = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (row >= m || column >= n) return;
  typename SumOf<T>::Type sum = 0;
  for (int i = 0; i < k; ++i) sum = multiply_add(a[size_t(row) * k + i], b[size_t(column) * k + i], sum);
  c[size_t(row) * n + column] = __float2bfloat16(float(sum) * scale_a[row] * scale_b[column]);
}

template <class T>
void solve_naive(const T* a, const T* b, const float* scale_a, const float* scale_b, __nv_bfloat16* c, int m, int n,
                 int k) {
  constexpr int kSide = 32, kRowsOfBlock = 8;
  naive<<<dim3((n + kSide - 1) / kSide, (m + kRowsOfBlock - 1) / kRowsOfBlock), dim3(kSide, kRowsOfBlock)>>>(
      a, b, scale_a, scale_b, c, m, n, k);
}
