// Loads and stores with a cache hint, address spaces, and funnel shifts.
#pragma once

#pragma push_macro("DEVICE")
#define DEVICE static inline __attribute__((device, always_inline))

// --- address spaces ---------------------------------------------------------------------------------
#define WARPWISE_PURE static inline __attribute__((device, always_inline, const))
WARPWISE_PURE unsigned int __isGlobal(const void* p) { return __nvvm_isspacep_global(p); }
WARPWISE_PURE unsigned int __isShared(const void* p) { return __nvvm_isspacep_shared(p); }
WARPWISE_PURE unsigned int __isConstant(const void* p) { return __nvvm_isspacep_const(p); }
WARPWISE_PURE unsigned int __isLocal(const void* p) { return __nvvm_isspacep_local(p); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
// Parameters of the kernel, where they are __grid_constant__.
WARPWISE_PURE unsigned int __isGridConstant(const void* p) {
  unsigned int is;
  asm("{ .reg .pred p; isspacep.param p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p));
  return is;
}
WARPWISE_PURE size_t __cvta_generic_to_grid_constant(const void* p) {
  size_t address;
  asm("cvta.to.param.u64 %0, %1;" : "=l"(address) : "l"(p));
  return address;
}
WARPWISE_PURE void* __cvta_grid_constant_to_generic(size_t p) {
  void* address;
  asm("cvta.param.u64 %0, %1;" : "=l"(address) : "l"(p));
  return address;
}
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
WARPWISE_PURE unsigned int __isCtaShared(const void* p) { return __nvvm_isspacep_shared(p); }
WARPWISE_PURE unsigned int __isClusterShared(const void* p) { return __nvvm_isspacep_shared_cluster(p); }
#endif
#undef WARPWISE_PURE
#define WARPWISE_CVTA(space, number)                                                              \
  DEVICE size_t __cvta_generic_to_##space(const void* p) {                                        \
    return (size_t)(const void __attribute__((address_space(number)))*)p;                         \
  }                                                                                               \
  DEVICE void* __cvta_##space##_to_generic(size_t p) {                                            \
    return (void*)(void __attribute__((address_space(number)))*)p;                                \
  }
WARPWISE_CVTA(global, 1)
WARPWISE_CVTA(shared, 3)
WARPWISE_CVTA(constant, 4)
WARPWISE_CVTA(local, 5)
#undef WARPWISE_CVTA

// --- __ldg, __ldcg … -------------------------------------------------------------------------------- A cache hint
// does not depend on the type, so there is one template per function, and instructions by size. (CUDA lists the
// functions for each built-in type; 270 declarations would cost every compilation 5 ms.)
namespace warpwise_cuda {
struct Words2 { unsigned long long x, y; };
template <size_t bytes> struct Bits;
template <> struct Bits<1> { typedef unsigned short Register; };
template <> struct Bits<2> { typedef unsigned short Register; };
template <> struct Bits<4> { typedef unsigned int Register; };
template <> struct Bits<8> { typedef unsigned long long Register; };
template <> struct Bits<16> { typedef Words2 Register; };
template <class T> using Register = typename Bits<sizeof(T)>::Register;

template <class T, class R> DEVICE T from_bits(R bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T> DEVICE Register<T> to_bits(const T& value) {
  Register<T> bits = {};
  __builtin_memcpy(&bits, &value, sizeof value);
  return bits;
}
template <size_t bytes> struct ReadOnly;
template <> struct ReadOnly<1> {
  __attribute__((device, always_inline)) static inline unsigned short load(const void* p) { return __nvvm_ldg_uc((const unsigned char*)p); }
};
template <> struct ReadOnly<2> {
  __attribute__((device, always_inline)) static inline unsigned short load(const void* p) { return __nvvm_ldg_us((const unsigned short*)p); }
};
template <> struct ReadOnly<4> {
  __attribute__((device, always_inline)) static inline unsigned int load(const void* p) { return __nvvm_ldg_ui((const unsigned int*)p); }
};
template <> struct ReadOnly<8> {
  __attribute__((device, always_inline)) static inline unsigned long long load(const void* p) { return __nvvm_ldg_ull((const unsigned long long*)p); }
};
typedef unsigned int UInt4 __attribute__((ext_vector_type(4)));
template <> struct ReadOnly<16> {
  __attribute__((device, always_inline)) static inline UInt4 load(const void* p) { return __nvvm_ldg_ui4((const UInt4*)p); }
};
}  // namespace warpwise_cuda

template <class T> DEVICE T __ldg(const T* p) {
  return warpwise_cuda::from_bits<T>(warpwise_cuda::ReadOnly<sizeof(T)>::load(p));
}
// The floating-point types keep their own instructions: ld.global.nc.f32 says more than .u32.
DEVICE float __ldg(const float* p) { return __nvvm_ldg_f(p); }
DEVICE double __ldg(const double* p) { return __nvvm_ldg_d(p); }
#define WARPWISE_LDG(T, element, count, builtin)                                      \
  DEVICE T __ldg(const T* p) {                                                        \
    typedef element Vector __attribute__((ext_vector_type(count)));                   \
    return warpwise_cuda::from_bits<T>(builtin(reinterpret_cast<const Vector*>(p)));  \
  }
WARPWISE_LDG(float2, float, 2, __nvvm_ldg_f2)
WARPWISE_LDG(float4, float, 4, __nvvm_ldg_f4)
WARPWISE_LDG(double2, double, 2, __nvvm_ldg_d2)
#undef WARPWISE_LDG

#define WARPWISE_LOAD(name, hint)                                                                             \
  namespace warpwise_cuda {                                                                                   \
  DEVICE void name(const void* p, unsigned short* r, Bits<1>) {                                               \
    asm volatile("ld.global." hint ".u8 %0, [%1];" : "=h"(*r) : "l"(p) : "memory");                           \
  }                                                                                                           \
  DEVICE void name(const void* p, unsigned short* r, Bits<2>) {                                               \
    asm volatile("ld.global." hint ".u16 %0, [%1];" : "=h"(*r) : "l"(p) : "memory");                          \
  }                                                                                                           \
  DEVICE void name(const void* p, unsigned int* r, Bits<4>) {                                                 \
    asm volatile("ld.global." hint ".u32 %0, [%1];" : "=r"(*r) : "l"(p) : "memory");                          \
  }                                                                                                           \
  DEVICE void name(const void* p, unsigned long long* r, Bits<8>) {                                           \
    asm volatile("ld.global." hint ".u64 %0, [%1];" : "=l"(*r) : "l"(p) : "memory");                          \
  }                                                                                                           \
  DEVICE void name(const void* p, Words2* r, Bits<16>) {                                                      \
    asm volatile("ld.global." hint ".v2.u64 {%0, %1}, [%2];" : "=l"(r->x), "=l"(r->y) : "l"(p) : "memory");   \
  }                                                                                                           \
  }                                                                                                           \
  template <class T> DEVICE T name(const T* p) {                                                              \
    warpwise_cuda::Register<T> r;                                                                             \
    warpwise_cuda::name(p, &r, warpwise_cuda::Bits<sizeof(T)>());                                             \
    return warpwise_cuda::from_bits<T>(r);                                                                    \
  }
WARPWISE_LOAD(__ldca, "ca")
WARPWISE_LOAD(__ldcg, "cg")
WARPWISE_LOAD(__ldcs, "cs")
WARPWISE_LOAD(__ldlu, "lu")
WARPWISE_LOAD(__ldcv, "cv")
#undef WARPWISE_LOAD

#define WARPWISE_STORE(name, hint)                                                                            \
  namespace warpwise_cuda {                                                                                   \
  DEVICE void name(void* p, unsigned short r, Bits<1>) {                                                      \
    asm volatile("st.global." hint ".u8 [%0], %1;" : : "l"(p), "h"(r) : "memory");                            \
  }                                                                                                           \
  DEVICE void name(void* p, unsigned short r, Bits<2>) {                                                      \
    asm volatile("st.global." hint ".u16 [%0], %1;" : : "l"(p), "h"(r) : "memory");                           \
  }                                                                                                           \
  DEVICE void name(void* p, unsigned int r, Bits<4>) {                                                        \
    asm volatile("st.global." hint ".u32 [%0], %1;" : : "l"(p), "r"(r) : "memory");                           \
  }                                                                                                           \
  DEVICE void name(void* p, unsigned long long r, Bits<8>) {                                                  \
    asm volatile("st.global." hint ".u64 [%0], %1;" : : "l"(p), "l"(r) : "memory");                           \
  }                                                                                                           \
  DEVICE void name(void* p, Words2 r, Bits<16>) {                                                             \
    asm volatile("st.global." hint ".v2.u64 [%0], {%1, %2};" : : "l"(p), "l"(r.x), "l"(r.y) : "memory");      \
  }                                                                                                           \
  }                                                                                                           \
  template <class T> DEVICE void name(T* p, T value) {                                                        \
    warpwise_cuda::name(p, warpwise_cuda::to_bits(value), warpwise_cuda::Bits<sizeof(T)>());                  \
  }
WARPWISE_STORE(__stwb, "wb")
WARPWISE_STORE(__stcg, "cg")
WARPWISE_STORE(__stcs, "cs")
WARPWISE_STORE(__stwt, "wt")
#undef WARPWISE_STORE

// --- funnel shifts ----------------------------------------------------------------------------------
// Bits of high:low shifted; the shift wraps at 32, or stops there (c).
DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  unsigned int result;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
  return result;
}
DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  unsigned int result;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
  return result;
}
DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  unsigned int result;
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
  return result;
}
DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  unsigned int result;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(shift));
  return result;
}

// --- dot products of packed integers ----------------------------------------------------------------
// Four products of bytes, or two of a 16-bit half and a byte (the low or the high two bytes), plus c.
#define WARPWISE_DOT(T, Vector4, Vector2, ptx)                                                            \
  DEVICE T __dp4a(T a, T b, T c) {                                                                       \
    T result;                                                                                            \
    asm("dp4a." ptx "." ptx " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));                 \
    return result;                                                                                       \
  }                                                                                                      \
  DEVICE T __dp2a_lo(T a, T b, T c) {                                                                    \
    T result;                                                                                            \
    asm("dp2a.lo." ptx "." ptx " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));              \
    return result;                                                                                       \
  }                                                                                                      \
  DEVICE T __dp2a_hi(T a, T b, T c) {                                                                    \
    T result;                                                                                            \
    asm("dp2a.hi." ptx "." ptx " %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));              \
    return result;                                                                                       \
  }                                                                                                      \
  DEVICE T __dp4a(Vector4##4 a, Vector4##4 b, T c) {                                                     \
    return __dp4a(warpwise_cuda::from_bits<T>(a), warpwise_cuda::from_bits<T>(b), c);                    \
  }                                                                                                      \
  DEVICE T __dp2a_lo(Vector2##2 a, Vector4##4 b, T c) {                                                  \
    return __dp2a_lo(warpwise_cuda::from_bits<T>(a), warpwise_cuda::from_bits<T>(b), c);                 \
  }                                                                                                      \
  DEVICE T __dp2a_hi(Vector2##2 a, Vector4##4 b, T c) {                                                  \
    return __dp2a_hi(warpwise_cuda::from_bits<T>(a), warpwise_cuda::from_bits<T>(b), c);                 \
  }
WARPWISE_DOT(int, char, short, "s32")
WARPWISE_DOT(unsigned int, uchar, ushort, "u32")
#undef WARPWISE_DOT
#pragma pop_macro("DEVICE")
