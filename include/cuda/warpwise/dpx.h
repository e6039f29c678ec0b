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

// Both halves of a word: on the device one instruction.
namespace warpwise_cuda {
#ifdef __CUDA_ARCH__
#define WARPWISE_HALVES(name, H, instruction, of_halves) \
  BOTH unsigned int name(unsigned int a, unsigned int b) { return instruction(a, b); }
#else
#define WARPWISE_HALVES(name, H, instruction, of_halves)                                                                  \
  BOTH unsigned int name(unsigned int a, unsigned int b) {                                                                \
    const H low = of_halves(static_cast<H>(a), static_cast<H>(b)), high = of_halves(static_cast<H>(a >> 16), static_cast<H>(b >> 16)); \
    return static_cast<unsigned short>(low) | static_cast<unsigned int>(static_cast<unsigned short>(high)) << 16;         \
  }
#endif
#define WARPWISE_SUM(a, b) static_cast<unsigned short>(static_cast<unsigned>(a) + static_cast<unsigned>(b))
#define WARPWISE_MAX(a, b) (a > b ? a : b)
#define WARPWISE_MIN(a, b) (a < b ? a : b)
WARPWISE_HALVES(sum_of_halves, unsigned short, __vadd2, WARPWISE_SUM)
WARPWISE_HALVES(s_max_of_halves, short, __vmaxs2, WARPWISE_MAX)
WARPWISE_HALVES(s_min_of_halves, short, __vmins2, WARPWISE_MIN)
WARPWISE_HALVES(u_max_of_halves, unsigned short, __vmaxu2, WARPWISE_MAX)
WARPWISE_HALVES(u_min_of_halves, unsigned short, __vminu2, WARPWISE_MIN)
#undef WARPWISE_HALVES
#undef WARPWISE_SUM
#undef WARPWISE_MAX
#undef WARPWISE_MIN
}  // namespace warpwise_cuda

#define WARPWISE_DPX(s, max)                                                                                                  \
  BOTH unsigned int __vi##max##3_##s##16x2(unsigned int a, unsigned int b, unsigned int c) {                                  \
    return warpwise_cuda::s##_##max##_of_halves(warpwise_cuda::s##_##max##_of_halves(a, b), c);                               \
  }                                                                                                                           \
  BOTH unsigned int __viadd##max##_##s##16x2(unsigned int a, unsigned int b, unsigned int c) {                                \
    return warpwise_cuda::s##_##max##_of_halves(warpwise_cuda::sum_of_halves(a, b), c);                                       \
  }                                                                                                                           \
  BOTH unsigned int __vib##max##_##s##16x2(unsigned int a, unsigned int b, bool* high_is_a, bool* low_is_a) {                 \
    const unsigned int chosen = warpwise_cuda::s##_##max##_of_halves(a, b), other = chosen ^ a;                               \
    return *high_is_a = other >> 16 == 0, *low_is_a = (other & 0xffff) == 0, chosen;                                          \
  }
WARPWISE_DPX(s, max)
WARPWISE_DPX(s, min)
WARPWISE_DPX(u, max)
WARPWISE_DPX(u, min)
#undef WARPWISE_DPX
#define WARPWISE_DPX(max)                                                                                                     \
  BOTH unsigned int __vi##max##_s16x2_relu(unsigned int a, unsigned int b) {                                                  \
    return warpwise_cuda::s_max_of_halves(warpwise_cuda::s_##max##_of_halves(a, b), 0);                                       \
  }                                                                                                                           \
  BOTH unsigned int __vi##max##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {                                 \
    return warpwise_cuda::s_max_of_halves(__vi##max##3_s16x2(a, b, c), 0);                                                    \
  }                                                                                                                           \
  BOTH unsigned int __viadd##max##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {                               \
    return warpwise_cuda::s_max_of_halves(__viadd##max##_s16x2(a, b, c), 0);                                                  \
  }
WARPWISE_DPX(max)
WARPWISE_DPX(min)
#undef WARPWISE_DPX
#pragma pop_macro("BOTH")
