// Two floats as bfloat16 in one word, the first one in the lower half.
//
// From compute capability 8.0 on it is one instruction. Warpwise's cuda_bf16.h rounds by integer arithmetic, a dozen
// instructions for each pair, and in a loop that rounds what it has calculated these are what the SM is busy with.
#pragma once

#include <cuda_bf16.h>

__device__ __forceinline__ unsigned bfloat16_pair(float first, float second) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  return both;
#else
  __nv_bfloat162 both = __floats2bfloat162_rn(first, second);
  return reinterpret_cast<unsigned&>(both);
#endif
}
