// Arithmetic on pairs of floats (CUDA Math API, __ffma2_rn and similar functions), for devices of compute capability
// 10.0 and newer. Each half is rounded like the result of the function of one float. Clang 19 does not know such
// devices, so the toolchain defines WARPWISE_SM_100 when it compiles for one, and each half is an instruction of its
// own, with the same results.
#pragma once

#ifdef WARPWISE_SM_100
#pragma push_macro("DEVICE")
#define DEVICE static inline __attribute__((device, always_inline))
#define WARPWISE_PACKED(rounding)                                                                                          \
  DEVICE float2 __fadd2_##rounding(float2 x, float2 y) { return {__fadd_##rounding(x.x, y.x), __fadd_##rounding(x.y, y.y)}; } \
  DEVICE float2 __fmul2_##rounding(float2 x, float2 y) { return {__fmul_##rounding(x.x, y.x), __fmul_##rounding(x.y, y.y)}; } \
  DEVICE float2 __ffma2_##rounding(float2 x, float2 y, float2 z) {                                                         \
    return {__fmaf_##rounding(x.x, y.x, z.x), __fmaf_##rounding(x.y, y.y, z.y)};                                           \
  }
WARPWISE_PACKED(rn)
WARPWISE_PACKED(rz)
WARPWISE_PACKED(rd)
WARPWISE_PACKED(ru)
#undef WARPWISE_PACKED
#pragma pop_macro("DEVICE")
#endif
