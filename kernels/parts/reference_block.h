// What the references of row computations share: a block for each row, and arithmetic in double whatever the elements.
//
//     double sum = 0;
//     for (int i = int(threadIdx.x); i < columns; i += kThreads) sum += to_double(x[i]);
//     sum = sum_of_block(sum);                  // every thread gets it
//     y[i] = from_double<T>(to_double(x[i]) / sum);
//
// Plain on purpose: a tree in shared memory with a barrier after each level, and nothing of what the steps use. The
// namespace keeps it apart from the step that a reference is linked with.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

namespace reference_parts {

constexpr int kThreads = 256;

inline __device__ double to_double(float value) { return value; }
inline __device__ double to_double(__nv_bfloat16 value) { return __bfloat162float(value); }
inline __device__ double to_double(__nv_fp8_e4m3 value) { return float(value); }
inline __device__ double to_double(signed char value) { return value; }

// Rounded once: by way of float, a value near the middle of two bfloat16 may be rounded the wrong way.
template <class T>
__device__ T from_double(double value);
template <>
inline __device__ float from_double<float>(double value) {
  return float(value);
}
template <>
inline __device__ __nv_bfloat16 from_double<__nv_bfloat16>(double value) {
  return __double2bfloat16(value);
}

template <class Combine>
__device__ double combine_block(double mine, Combine combine) {
  __shared__ double parts[kThreads];
  parts[threadIdx.x] = mine;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) parts[threadIdx.x] = combine(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  double all = parts[0];
  __syncthreads();  // the next use may write
  return all;
}

inline __device__ double sum_of_block(double mine) {
  return combine_block(mine, [](double a, double b) { return a + b; });
}
inline __device__ double largest_of_block(double mine) {
  return combine_block(mine, [](double a, double b) { return fmax(a, b); });
}

}  // namespace reference_parts
