// Sixteen bytes at a time: the widest access that a thread has, as floats.
//
// A warp that reads 16 bytes per lane covers four whole cache lines with one instruction. Less would do for the memory,
// but not for the pipes that carry the requests: bytes in flight per instruction are what hides the latency.
//
//     uint4 raw = load_once(&row[i]);         // of an array that is read once: marked as the first to leave the caches
//     float x[kPerVector<T>];
//     unpack<T>(raw, x);                      // 4 floats, or 8 that were bfloat16
//     store_once(&result[i], pack<T>(x));
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

template <class T>
constexpr int kPerVector = 16 / int(sizeof(T));

__device__ __forceinline__ uint4 load_once(const uint4* from) { return __ldcs(from); }
__device__ __forceinline__ void store_once(uint4* to, uint4 raw) { __stcs(to, raw); }

template <class T>
__device__ __forceinline__ void unpack(uint4 raw, float (&x)[kPerVector<T>]) {
  unsigned words[4] = {raw.x, raw.y, raw.z, raw.w};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (sizeof(T) == 4) {
      x[i] = __uint_as_float(words[i]);
    } else {  // a bfloat16 is the upper half of a float
      x[2 * i] = __uint_as_float(words[i] << 16);
      x[2 * i + 1] = __uint_as_float(words[i] & 0xffff0000u);
    }
  }
}

// The same of a vector that is kept over a loop. What does not change in a loop leaves it: eight floats would be kept
// in place of the four words. The empty statement might change them, so they are unpacked where they are used.
template <class T>
__device__ __forceinline__ void unpack_here(uint4 raw, float (&x)[kPerVector<T>]) {
  if constexpr (sizeof(T) < 4) asm volatile("" : "+r"(raw.x), "+r"(raw.y), "+r"(raw.z), "+r"(raw.w));
  unpack<T>(raw, x);
}

// Computes a value here. What is only used after a loop's next turn may otherwise be computed at the end of this one,
// and all that it is made of stays in registers until then.
__device__ __forceinline__ void compute_here(float& x) { asm volatile("" : "+f"(x)); }

template <class T>
__device__ __forceinline__ uint4 pack(const float (&x)[kPerVector<T>]) {
  unsigned words[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (sizeof(T) == 4) {
      words[i] = __float_as_uint(x[i]);
    } else {
      const __nv_bfloat162 both = __floats2bfloat162_rn(x[2 * i], x[2 * i + 1]);
      words[i] = reinterpret_cast<const unsigned&>(both);
    }
  }
  return {words[0], words[1], words[2], words[3]};
}
