// Atomic functions (CUDA C++ programming guide, "Atomic Functions"): relaxed, for the whole device; with _block
// or _system for another scope. One row per function and set of types.
#pragma once

#pragma push_macro("DEVICE")
#define DEVICE static inline __attribute__((device, always_inline))

// ATOMIC(function, type, Clang's prefix and name, type it works on)
#define WARPWISE_ATOMICS(ATOMIC)                                                                            \
  ATOMIC(Add, int, __iAtomicAdd, int)                                                                       \
  ATOMIC(Add, unsigned int, __uAtomicAdd, unsigned int)                                                     \
  ATOMIC(Add, unsigned long long, __ullAtomicAdd, unsigned long long)                                       \
  ATOMIC(Add, float, __fAtomicAdd, float)                                                                   \
  ATOMIC(Add, double, __dAtomicAdd, double)                                                                 \
  ATOMIC(Exch, int, __iAtomicExch, int)                                                                     \
  ATOMIC(Exch, unsigned int, __uAtomicExch, unsigned int)                                                   \
  ATOMIC(Exch, unsigned long long, __ullAtomicExch, unsigned long long)                                     \
  ATOMIC(Exch, float, __fAtomicExch, float)                                                                 \
  ATOMIC(Min, int, __iAtomicMin, int)                                                                       \
  ATOMIC(Min, unsigned int, __uAtomicMin, unsigned int)                                                     \
  ATOMIC(Min, long long, __illAtomicMin, long long)                                                         \
  ATOMIC(Min, unsigned long long, __ullAtomicMin, unsigned long long)                                       \
  ATOMIC(Max, int, __iAtomicMax, int)                                                                       \
  ATOMIC(Max, unsigned int, __uAtomicMax, unsigned int)                                                     \
  ATOMIC(Max, long long, __illAtomicMax, long long)                                                         \
  ATOMIC(Max, unsigned long long, __ullAtomicMax, unsigned long long)                                       \
  ATOMIC(Inc, unsigned int, __uAtomicInc, unsigned int)                                                     \
  ATOMIC(Dec, unsigned int, __uAtomicDec, unsigned int)                                                     \
  ATOMIC(And, int, __iAtomicAnd, int)                                                                       \
  ATOMIC(And, unsigned int, __uAtomicAnd, unsigned int)                                                     \
  ATOMIC(And, long long, __llAtomicAnd, long long)                                                          \
  ATOMIC(And, unsigned long long, __llAtomicAnd, long long)                                                 \
  ATOMIC(Or, int, __iAtomicOr, int)                                                                         \
  ATOMIC(Or, unsigned int, __uAtomicOr, unsigned int)                                                       \
  ATOMIC(Or, long long, __llAtomicOr, long long)                                                            \
  ATOMIC(Or, unsigned long long, __llAtomicOr, long long)                                                   \
  ATOMIC(Xor, int, __iAtomicXor, int)                                                                       \
  ATOMIC(Xor, unsigned int, __uAtomicXor, unsigned int)                                                     \
  ATOMIC(Xor, long long, __llAtomicXor, long long)                                                          \
  ATOMIC(Xor, unsigned long long, __llAtomicXor, long long)

#define WARPWISE_ATOMIC_SCOPE(function, T, impl, W, scope)                                                   \
  DEVICE T atomic##function##scope(T* p, T v) {                                                             \
    return static_cast<T>(impl##scope(reinterpret_cast<W*>(p), static_cast<W>(v)));                          \
  }
#define WARPWISE_ATOMIC(function, T, impl, W)           \
  WARPWISE_ATOMIC_SCOPE(function, T, impl, W, )         \
  WARPWISE_ATOMIC_SCOPE(function, T, impl, W, _block)   \
  WARPWISE_ATOMIC_SCOPE(function, T, impl, W, _system)
WARPWISE_ATOMICS(WARPWISE_ATOMIC)

#define WARPWISE_CAS(T, impl)                                                                     \
  DEVICE T atomicCAS(T* p, T expected, T v) { return impl(p, expected, v); }                      \
  DEVICE T atomicCAS_block(T* p, T expected, T v) { return impl##_block(p, expected, v); }        \
  DEVICE T atomicCAS_system(T* p, T expected, T v) { return impl##_system(p, expected, v); }
WARPWISE_CAS(int, __iAtomicCAS)
WARPWISE_CAS(unsigned int, __uAtomicCAS)
WARPWISE_CAS(unsigned long long, __ullAtomicCAS)

#define WARPWISE_SUB(scope)                                                                             \
  DEVICE int atomicSub##scope(int* p, int v) { return atomicAdd##scope(p, -v); }                        \
  DEVICE unsigned int atomicSub##scope(unsigned int* p, unsigned int v) { return atomicAdd##scope(p, 0u - v); } \
  DEVICE unsigned short atomicCAS##scope(unsigned short* p, unsigned short expected, unsigned short v) { \
    unsigned short old;                                                                                 \
    asm volatile("atom" WARPWISE_PTX_SCOPE##scope ".cas.b16 %0, [%1], %2, %3;"                          \
                 : "=h"(old) : "l"(p), "h"(expected), "h"(v) : "memory");                               \
    return old;                                                                                         \
  }                                                                                                     \
  DEVICE float2 atomicAdd##scope(float2* p, float2 v) {                                                 \
    return float2{atomicAdd##scope(&p->x, v.x), atomicAdd##scope(&p->y, v.y)};                          \
  }                                                                                                     \
  DEVICE float4 atomicAdd##scope(float4* p, float4 v) {                                                 \
    return float4{atomicAdd##scope(&p->x, v.x), atomicAdd##scope(&p->y, v.y),                           \
                  atomicAdd##scope(&p->z, v.z), atomicAdd##scope(&p->w, v.w)};                          \
  }
#define WARPWISE_PTX_SCOPE ""
#define WARPWISE_PTX_SCOPE_block ".cta"
#define WARPWISE_PTX_SCOPE_system ".sys"
WARPWISE_SUB()
WARPWISE_SUB(_block)
WARPWISE_SUB(_system)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// 16 bytes at once, of any type that is copied as bytes and aligned to its size.
namespace warpwise_cuda {
template <class T, bool fits = sizeof(T) == 16 && alignof(T) >= 16 && __is_trivially_copyable(T)> struct Sixteen {};
template <class T> struct Sixteen<T, true> { typedef T type; };
}  // namespace warpwise_cuda
#define WARPWISE_SIXTEEN(scope)                                                                                        \
  template <class T> DEVICE typename warpwise_cuda::Sixteen<T>::type atomicCAS##scope(T* p, T expected, T v) {         \
    unsigned long long e[2], n[2], old[2];                                                                             \
    __builtin_memcpy(e, &expected, 16), __builtin_memcpy(n, &v, 16);                                                   \
    asm volatile("{ .reg .b128 e, n, o; mov.b128 e, {%3, %4}; mov.b128 n, {%5, %6}; atom" WARPWISE_PTX_SCOPE##scope    \
                 ".cas.b128 o, [%2], e, n; mov.b128 {%0, %1}, o; }"                                                    \
                 : "=l"(old[0]), "=l"(old[1]) : "l"(p), "l"(e[0]), "l"(e[1]), "l"(n[0]), "l"(n[1]) : "memory");         \
    T before;                                                                                                          \
    __builtin_memcpy(&before, old, 16);                                                                                \
    return before;                                                                                                     \
  }                                                                                                                    \
  template <class T> DEVICE typename warpwise_cuda::Sixteen<T>::type atomicExch##scope(T* p, T v) {                    \
    unsigned long long n[2], old[2];                                                                                   \
    __builtin_memcpy(n, &v, 16);                                                                                       \
    asm volatile("{ .reg .b128 n, o; mov.b128 n, {%3, %4}; atom" WARPWISE_PTX_SCOPE##scope                              \
                 ".exch.b128 o, [%2], n; mov.b128 {%0, %1}, o; }"                                                      \
                 : "=l"(old[0]), "=l"(old[1]) : "l"(p), "l"(n[0]), "l"(n[1]) : "memory");                               \
    T before;                                                                                                          \
    __builtin_memcpy(&before, old, 16);                                                                                \
    return before;                                                                                                     \
  }
WARPWISE_SIXTEEN()
WARPWISE_SIXTEEN(_block)
WARPWISE_SIXTEEN(_system)
#undef WARPWISE_SIXTEEN
#endif

#undef WARPWISE_ATOMIC
#undef WARPWISE_ATOMICS
#undef WARPWISE_ATOMIC_SCOPE
#undef WARPWISE_CAS
#undef WARPWISE_SUB
#pragma pop_macro("DEVICE")
