// DPX: minima and maxima of sums and of three numbers, for dynamic programming (CUDA Math API, "SIMD Intrinsics",
// and programming guide, "DPX"). _relu: not below zero. 16x2: both halves of a word.
#pragma once

#pragma push_macro("BOTH")
#define BOTH static inline __attribute__((host, device, always_inline))

#define WARPWISE_DPX(T, s, max, best)                                                             \
  BOTH T __vi##max##3_##s(T a, T b, T c) { return best(best(a, b), c); }                          \
  BOTH T __viadd##max##_##s(T a, T b, T c) {                                                      \
    return best(static_cast<T>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b)), c);  \
  }                                                                                               \
  BOTH T __vib##max##_##s(T a, T b, bool* first) { return *first = best(a, b) == a, best(a, b); }
WARPWISE_DPX(int, s32, max, max)
WARPWISE_DPX(int, s32, min, min)
WARPWISE_DPX(unsigned int, u32, max, max)
WARPWISE_DPX(unsigned int, u32, min, min)
#undef WARPWISE_DPX
#define WARPWISE_DPX(word, best)                                                                              \
  BOTH int __vi##word##_s32_relu(int a, int b) { return max(best(a, b), 0); }                                 \
  BOTH int __vi##word##3_s32_relu(int a, int b, int c) { return max(best(best(a, b), c), 0); }                \
  BOTH int __viadd##word##_s32_relu(int a, int b, int c) { return max(__viadd##word##_s32(a, b, c), 0); }
WARPWISE_DPX(max, ::max)
WARPWISE_DPX(min, ::min)
#undef WARPWISE_DPX
#pragma pop_macro("BOTH")

#pragma push_macro("DEVICE")
#define DEVICE static inline __attribute__((device, always_inline))
#define WARPWISE_DPX(s, max, best)                                                                                        \
  DEVICE unsigned int __vi##max##3_##s##16x2(unsigned int a, unsigned int b, unsigned int c) { return best(best(a, b), c); } \
  DEVICE unsigned int __viadd##max##_##s##16x2(unsigned int a, unsigned int b, unsigned int c) { return best(__vadd2(a, b), c); } \
  DEVICE unsigned int __vib##max##_##s##16x2(unsigned int a, unsigned int b, bool* high_is_a, bool* low_is_a) {             \
    const unsigned int chosen = best(a, b), other = chosen ^ a;                                                             \
    return *high_is_a = other >> 16 == 0, *low_is_a = (other & 0xffff) == 0, chosen;                                        \
  }
WARPWISE_DPX(s, max, __vmaxs2)
WARPWISE_DPX(s, min, __vmins2)
WARPWISE_DPX(u, max, __vmaxu2)
WARPWISE_DPX(u, min, __vminu2)
#undef WARPWISE_DPX
#define WARPWISE_DPX(max, best)                                                                                                   \
  DEVICE unsigned int __vi##max##_s16x2_relu(unsigned int a, unsigned int b) { return __vmaxs2(best(a, b), 0); }                  \
  DEVICE unsigned int __vi##max##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { return __vmaxs2(best(best(a, b), c), 0); } \
  DEVICE unsigned int __viadd##max##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) { return __vmaxs2(best(__vadd2(a, b), c), 0); }
WARPWISE_DPX(max, __vmaxs2)
WARPWISE_DPX(min, __vmins2)
#undef WARPWISE_DPX
#pragma pop_macro("DEVICE")
