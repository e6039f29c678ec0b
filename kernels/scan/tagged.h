// A float with a tag that tells what it is, published by one block and awaited by others.
//
// Both share eight bytes, and a store of eight bytes is one: who sees the tag sees the value that belongs to it. So no
// fence is needed, and relaxed accesses do. They are atomic, so the compiler must not keep or split them, and the L2
// cache, which all SMs share, answers them.
//
//     publish(&place, {tag, value});
//     Tagged seen = look(&place);
#pragma once

#include <cuda_runtime.h>

struct Tagged {
  unsigned tag;
  float value;
};

__device__ __forceinline__ void publish(unsigned long long* place, Tagged what) {
  unsigned long long both = static_cast<unsigned long long>(what.tag) << 32 | __float_as_uint(what.value);
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(place)), "l"(both) : "memory");
}

__device__ __forceinline__ Tagged look(const unsigned long long* place) {
  unsigned long long both;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(both) : "l"(__cvta_generic_to_global(place)) : "memory");
  return {unsigned(both >> 32), __uint_as_float(unsigned(both))};
}
