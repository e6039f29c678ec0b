// The built-in atomic functions of CUDA 12.8 (CUDA programming guide, "Built-in Atomic Functions"): those of GNU
// compilers with a thread scope after the memory order. In nvcc they are part of the language. Here they are templates,
// which check types, orders and scopes as nvcc does, over functions of the device library, which are one PTX
// instruction each (src/devicelib/atomics.h). (Clang's __scoped_atomic functions cannot be used: LLVM 19 has no code
// for an acquire load on a GPU.)
#pragma once

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

#define __CUDACC_DEVICE_ATOMIC_BUILTINS__ 1

#include "atomic_orders.h"

#pragma push_macro("DEVICE")
#pragma push_macro("VALUE")
#pragma push_macro("SCOPE")
#define DEVICE static inline __attribute__((device, always_inline))

// --- the device library's functions, one for each instruction; overloads of them by type ------------------
extern "C" {
#define WARPWISE_MOVE(bytes, R, letter, type)                                                       \
  __device__ void __nv_warpwise_load_##bytes(const void* p, R* old, int order, int scope); \
  __device__ void __nv_warpwise_store_##bytes(void* p, R v, int order, int scope);
#define WARPWISE_COMPARE(bytes, R, letter, type) __device__ R __nv_warpwise_compare_##bytes(void* p, R expected, R v, int order, int scope);
#define WARPWISE_UPDATE(operation, type, R, letter) __device__ R __nv_warpwise_##operation##_##type(void* p, R v, int order, int scope);
#include "builtin_atomics.inc"
__device__ void __nv_warpwise_load_16(const void* p, unsigned long long* old, int order, int scope);
__device__ void __nv_warpwise_store_16(void* p, const unsigned long long* v, int order, int scope);
__device__ void __nv_warpwise_compare_16(void* p, const unsigned long long* expected, const unsigned long long* v, unsigned long long* old,
                                         int order, int scope);
__device__ void __nv_warpwise_exch_16(void* p, const unsigned long long* v, unsigned long long* old, int order, int scope);
__device__ void __nv_warpwise_fence(int order, int scope);
}

namespace warpwise_cuda {
#define WARPWISE_MOVE(bytes, R, letter, type)                                                             \
  DEVICE void atomic_load(const void* p, R* old, Bits<bytes>, int order, int scope) {            \
    __nv_warpwise_load_##bytes(p, old, order, scope);                                            \
  }                                                                                              \
  DEVICE void atomic_store(void* p, R v, Bits<bytes>, int order, int scope) {                    \
    __nv_warpwise_store_##bytes(p, v, order, scope);                                             \
  }
#define WARPWISE_COMPARE(bytes, R, letter, type)                                                          \
  DEVICE R atomic_compare(void* p, R expected, R v, Bits<bytes>, int order, int scope) {         \
    return __nv_warpwise_compare_##bytes(p, expected, v, order, scope);                          \
  }
#define WARPWISE_UPDATE(operation, type, R, letter)                                                       \
  DEVICE R atomic_##operation(void* p, R v, int order, int scope) {                              \
    return __nv_warpwise_##operation##_##type(p, v, order, scope);                               \
  }
#include "builtin_atomics.inc"
DEVICE void atomic_load(const void* p, Words2* old, Bits<16>, int order, int scope) { __nv_warpwise_load_16(p, &old->x, order, scope); }
DEVICE void atomic_store(void* p, Words2 v, Bits<16>, int order, int scope) { __nv_warpwise_store_16(p, &v.x, order, scope); }
DEVICE Words2 atomic_compare(void* p, Words2 expected, Words2 v, Bits<16>, int order, int scope) {
  Words2 old;
  __nv_warpwise_compare_16(p, &expected.x, &v.x, &old.x, order, scope);
  return old;
}
DEVICE Words2 atomic_exch(void* p, Words2 v, int order, int scope) {
  Words2 old;
  __nv_warpwise_exch_16(p, &v.x, &old.x, order, scope);
  return old;
}

// --- the types ---------------------------------------------------------------------------------------
// The type that an instruction works on, for one of CUDA's, and the unsigned one of that size where signs do not matter.
template <class T, size_t bytes = __is_integral(T) ? sizeof(T) : 0, bool is_signed = __is_signed(T)> struct AtomicNumber {
  typedef T type, bits;  // float, double
};
template <class T> struct AtomicNumber<T, 4, false> { typedef unsigned int type, bits; };
template <class T> struct AtomicNumber<T, 4, true> { typedef int type; typedef unsigned int bits; };
template <class T> struct AtomicNumber<T, 8, false> { typedef unsigned long long type, bits; };
template <class T> struct AtomicNumber<T, 8, true> { typedef long long type; typedef unsigned long long bits; };
template <class T> using Number = typename AtomicNumber<T>::type;
template <class T> using NumberBits = typename AtomicNumber<T>::bits;

template <class T> constexpr bool is_real = __is_same(T, float) || __is_same(T, double);
template <class T> constexpr bool is_word = __is_integral(T) && (sizeof(T) == 4 || sizeof(T) == 8);
// With 16 bytes, where there are registers of that size.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
constexpr size_t kWidestAtomic = 16;
#else
constexpr size_t kWidestAtomic = 8;
#endif
template <class T> constexpr bool is_movable = __is_trivially_copyable(T) && sizeof(T) <= kWidestAtomic && (sizeof(T) & (sizeof(T) - 1)) == 0;

}  // namespace warpwise_cuda

// --- what programs call ------------------------------------------------------------------------------
#define WARPWISE_REFUSE(condition, text) __attribute__((diagnose_if(condition, text, "error")))
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define WARPWISE_NO_CLUSTER false
#else
#define WARPWISE_NO_CLUSTER scope == __NV_THREAD_SCOPE_CLUSTER
#endif
#define WARPWISE_KNOWN_SCOPE                                                                                       \
  WARPWISE_REFUSE(!__builtin_constant_p(scope), "the thread scope of an atomic operation is an integer literal")   \
  WARPWISE_REFUSE(scope < __NV_THREAD_SCOPE_THREAD || scope > __NV_THREAD_SCOPE_SYSTEM, "this is no thread scope") \
  WARPWISE_REFUSE(WARPWISE_NO_CLUSTER, "the thread scope of a cluster wants a device of compute capability 9.0")
#define WARPWISE_KNOWN_ORDER(order)                                                                                \
  WARPWISE_REFUSE(!__builtin_constant_p(order), "the memory order of an atomic operation is an integer literal")   \
  WARPWISE_REFUSE(order < __NV_ATOMIC_RELAXED || order > __NV_ATOMIC_SEQ_CST, "this is no memory order")
#define WARPWISE_KNOWN WARPWISE_KNOWN_ORDER(order) WARPWISE_KNOWN_SCOPE
#define WARPWISE_READS                                                                                             \
  WARPWISE_REFUSE(order == __NV_ATOMIC_RELEASE || order == __NV_ATOMIC_ACQ_REL,                                    \
                  "the memory order of a load is not release or acq_rel") WARPWISE_KNOWN
#define WARPWISE_WRITES                                                                                            \
  WARPWISE_REFUSE(order == __NV_ATOMIC_CONSUME || order == __NV_ATOMIC_ACQUIRE || order == __NV_ATOMIC_ACQ_REL,    \
                  "the memory order of a store is not consume, acquire or acq_rel") WARPWISE_KNOWN
#define WARPWISE_TYPE(text, ...) static_assert((__VA_ARGS__) && !__is_volatile(T), text)
#define WARPWISE_ANY(least, sizes) \
  WARPWISE_TYPE("this needs a type of " sizes " or, from compute capability 9.0, 16 bytes", warpwise_cuda::is_movable<T> && sizeof(T) >= least)
#define WARPWISE_INTEGER(least, sizes) \
  WARPWISE_TYPE("this needs an integer of " sizes " or 16 bytes; the function without _n takes other types", __is_integral(T) && sizeof(T) >= least)
// The type that the pointer points to; the value is converted to it.
#undef VALUE
#undef SCOPE
#define VALUE typename warpwise_cuda::Same<T>::type
#define SCOPE int scope = __NV_THREAD_SCOPE_SYSTEM

template <class T> DEVICE void __nv_atomic_load(const T* p, VALUE* ret, int order, SCOPE) WARPWISE_READS {
  WARPWISE_ANY(1, "1, 2, 4, 8");
  warpwise_cuda::Register<T> bits;
  warpwise_cuda::atomic_load(p, &bits, warpwise_cuda::Bits<sizeof(T)>(), order, scope);
  *ret = warpwise_cuda::from_bits<T>(bits);
}
template <class T> DEVICE T __nv_atomic_load_n(const T* p, int order, SCOPE) WARPWISE_READS {
  WARPWISE_INTEGER(1, "1, 2, 4, 8");
  warpwise_cuda::Register<T> bits;
  warpwise_cuda::atomic_load(p, &bits, warpwise_cuda::Bits<sizeof(T)>(), order, scope);
  return warpwise_cuda::from_bits<T>(bits);
}

template <class T> DEVICE void __nv_atomic_store(T* p, const VALUE* val, int order, SCOPE) WARPWISE_WRITES {
  WARPWISE_ANY(1, "1, 2, 4, 8");
  warpwise_cuda::atomic_store(p, warpwise_cuda::to_bits(*val), warpwise_cuda::Bits<sizeof(T)>(), order, scope);
}
template <class T> DEVICE void __nv_atomic_store_n(T* p, VALUE val, int order, SCOPE) WARPWISE_WRITES {
  WARPWISE_INTEGER(1, "1, 2, 4, 8");
  warpwise_cuda::atomic_store(p, warpwise_cuda::to_bits(val), warpwise_cuda::Bits<sizeof(T)>(), order, scope);
}

template <class T> DEVICE void __nv_atomic_exchange(T* p, const VALUE* val, VALUE* ret, int order, SCOPE) WARPWISE_KNOWN {
  WARPWISE_ANY(4, "4, 8");
  *ret = warpwise_cuda::from_bits<T>(warpwise_cuda::atomic_exch(p, warpwise_cuda::to_bits(*val), order, scope));
}
template <class T> DEVICE T __nv_atomic_exchange_n(T* p, VALUE val, int order, SCOPE) WARPWISE_KNOWN {
  WARPWISE_INTEGER(4, "4, 8");
  return warpwise_cuda::from_bits<T>(warpwise_cuda::atomic_exch(p, warpwise_cuda::to_bits(val), order, scope));
}

namespace warpwise_cuda {
// PTX has one order for success and failure: this one is at least as strong as both.
constexpr int stronger_order(int success, int failure) {
  if (success == __NV_ATOMIC_RELEASE && (failure == __NV_ATOMIC_CONSUME || failure == __NV_ATOMIC_ACQUIRE)) return __NV_ATOMIC_ACQ_REL;
  return success > failure ? success : failure;
}
template <class R> DEVICE bool equal(R a, R b) { return a == b; }
DEVICE bool equal(Words2 a, Words2 b) { return a.x == b.x && a.y == b.y; }
template <class T> DEVICE bool compare_exchange(T* p, T* expected, const T& desired, int order, int scope) {
  const Register<T> wanted = to_bits(*expected);
  const Register<T> old = atomic_compare(p, wanted, to_bits(desired), Bits<sizeof(T)>(), order, scope);
  const bool is_equal = equal(old, wanted);
  if (!is_equal) *expected = from_bits<T>(old);
  return is_equal;
}
}  // namespace warpwise_cuda
#define WARPWISE_TWO_ORDERS WARPWISE_KNOWN_ORDER(success_order) WARPWISE_KNOWN_ORDER(failure_order) WARPWISE_KNOWN_SCOPE
template <class T>
DEVICE bool __nv_atomic_compare_exchange(T* p, VALUE* expected, const VALUE* desired, bool /*weak*/, int success_order, int failure_order,
                                         SCOPE) WARPWISE_TWO_ORDERS {
  WARPWISE_ANY(2, "2, 4, 8");
  return warpwise_cuda::compare_exchange(p, expected, *desired, warpwise_cuda::stronger_order(success_order, failure_order), scope);
}
template <class T>
DEVICE bool __nv_atomic_compare_exchange_n(T* p, VALUE* expected, VALUE desired, bool /*weak*/, int success_order, int failure_order,
                                           SCOPE) WARPWISE_TWO_ORDERS {
  WARPWISE_INTEGER(2, "2, 4, 8");
  return warpwise_cuda::compare_exchange(p, expected, desired, warpwise_cuda::stronger_order(success_order, failure_order), scope);
}
#undef WARPWISE_TWO_ORDERS

// Arithmetic, each function with a form that returns nothing.
#define WARPWISE_FETCH(function, text, condition, does)                                                            \
  namespace warpwise_cuda {                                                                                        \
  template <class T> DEVICE T fetch_##function(T* p, T val, int order, int scope) {                                \
    WARPWISE_TYPE("this needs " text, condition);                                                                  \
    return static_cast<T>(does);                                                                                   \
  }                                                                                                                \
  }                                                                                                                \
  template <class T> DEVICE T __nv_atomic_fetch_##function(T* p, VALUE val, int order, SCOPE) WARPWISE_KNOWN {     \
    return warpwise_cuda::fetch_##function(p, val, order, scope);                                                  \
  }                                                                                                                \
  template <class T> DEVICE void __nv_atomic_##function(T* p, VALUE val, int order, SCOPE) WARPWISE_KNOWN {        \
    warpwise_cuda::fetch_##function(p, val, order, scope);                                                         \
  }
#define WARPWISE_SUM(function, does)                                                                  \
  WARPWISE_FETCH(function, "int, unsigned int, unsigned long long, float or double",                  \
                 is_real<T> || (is_word<T> && !(sizeof(T) == 8 && __is_signed(T))), does)
#define WARPWISE_OF_INTEGERS(function, does) WARPWISE_FETCH(function, "an integer of 4 or 8 bytes", is_word<T>, does)
WARPWISE_SUM(add, atomic_add(p, static_cast<NumberBits<T>>(val), order, scope))
WARPWISE_SUM(sub, atomic_add(p, static_cast<NumberBits<T>>(-static_cast<NumberBits<T>>(val)), order, scope))
WARPWISE_OF_INTEGERS(and, atomic_and(p, static_cast<NumberBits<T>>(val), order, scope))
WARPWISE_OF_INTEGERS(or, atomic_or(p, static_cast<NumberBits<T>>(val), order, scope))
WARPWISE_OF_INTEGERS(xor, atomic_xor(p, static_cast<NumberBits<T>>(val), order, scope))
WARPWISE_OF_INTEGERS(min, atomic_min(p, static_cast<Number<T>>(val), order, scope))
WARPWISE_OF_INTEGERS(max, atomic_max(p, static_cast<Number<T>>(val), order, scope))
#undef WARPWISE_FETCH
#undef WARPWISE_SUM
#undef WARPWISE_OF_INTEGERS

DEVICE void __nv_atomic_thread_fence(int order, SCOPE) WARPWISE_KNOWN {
  __nv_warpwise_fence(order, scope);
}

#undef WARPWISE_ANY
#undef WARPWISE_INTEGER
#undef WARPWISE_TYPE
#undef WARPWISE_READS
#undef WARPWISE_WRITES
#undef WARPWISE_KNOWN
#undef WARPWISE_KNOWN_ORDER
#undef WARPWISE_KNOWN_SCOPE
#undef WARPWISE_NO_CLUSTER
#undef WARPWISE_REFUSE
#pragma pop_macro("SCOPE")
#pragma pop_macro("VALUE")
#pragma pop_macro("DEVICE")
#endif
