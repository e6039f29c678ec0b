// The instructions of CUDA's built-in atomic functions (include/cuda/warpwise/builtin_atomics.h), with every order and
// scope.
//
// They are 450 pieces of inline PTX. In the header, which every program reads, they would cost each compilation 18 ms
// of processor time; here they are compiled once. Order and scope are literals where programs call them, so that one
// instruction is left.
#pragma once

#if defined(__CUDA_ARCH__)
#include "../../include/cuda/warpwise/atomic_orders.h"

namespace warpwise::devicelib {

// `head` stands before the scope, `tail` after it, then the operands follow. A thread's own scope becomes that of its
// block.
#define WW_SCOPES(head, tail, ...)                               \
  switch (scope) {                                               \
    case __NV_THREAD_SCOPE_SYSTEM:                               \
      asm volatile(head ".sys" tail __VA_ARGS__ : "memory");     \
      break;                                                     \
    case __NV_THREAD_SCOPE_DEVICE:                               \
      asm volatile(head ".gpu" tail __VA_ARGS__ : "memory");     \
      break;                                                     \
    case __NV_THREAD_SCOPE_CLUSTER:                              \
      asm volatile(head ".cluster" tail __VA_ARGS__ : "memory"); \
      break;                                                     \
    default:                                                     \
      asm volatile(head ".cta" tail __VA_ARGS__ : "memory");     \
      break;                                                     \
  }
WW_INLINE void fence_acq_rel(int scope){WW_SCOPES("fence.acq_rel", ";", ::)} WW_INLINE
    void fence_sc(int scope){WW_SCOPES("fence.sc", ";", ::)}
// Sequential consistency is a fence before the weaker operation: PTX has no such operation.
#define WW_READ_ORDERS(head, tail, ...)              \
  if (order == __NV_ATOMIC_SEQ_CST) fence_sc(scope); \
  if (order == __NV_ATOMIC_RELAXED) {                \
    WW_SCOPES(head ".relaxed", tail, __VA_ARGS__)    \
  } else {                                           \
    WW_SCOPES(head ".acquire", tail, __VA_ARGS__)    \
  }
#define WW_WRITE_ORDERS(head, tail, ...)             \
  if (order == __NV_ATOMIC_SEQ_CST) fence_sc(scope); \
  if (order == __NV_ATOMIC_RELEASE) {                \
    WW_SCOPES(head ".release", tail, __VA_ARGS__)    \
  } else {                                           \
    WW_SCOPES(head ".relaxed", tail, __VA_ARGS__)    \
  }
#define WW_ALL_ORDERS(head, tail, ...)               \
  if (order == __NV_ATOMIC_SEQ_CST) fence_sc(scope); \
  if (order == __NV_ATOMIC_RELAXED) {                \
    WW_SCOPES(head ".relaxed", tail, __VA_ARGS__)    \
  } else if (order == __NV_ATOMIC_RELEASE) {         \
    WW_SCOPES(head ".release", tail, __VA_ARGS__)    \
  } else if (order == __NV_ATOMIC_ACQ_REL) {         \
    WW_SCOPES(head ".acq_rel", tail, __VA_ARGS__)    \
  } else {                                           \
    WW_SCOPES(head ".acquire", tail, __VA_ARGS__)    \
  }

#define WARPWISE_MOVE(bytes, R, letter, type)                                                                          \
  WW_FUNCTION void __nv_warpwise_load_##bytes(const void* p, R* old, int order, int scope){WW_READ_ORDERS(             \
      "ld", type " %0, [%1];", : "=" letter(*old) : "l"(p))} WW_FUNCTION void __nv_warpwise_store_##bytes(void* p,     \
                                                                                                          R v,         \
                                                                                                          int order,   \
                                                                                                          int scope) { \
    WW_WRITE_ORDERS("st", type " [%0], %1;", : : "l"(p), letter(v))                                                    \
  }
#define WARPWISE_COMPARE(bytes, R, letter, type)                                                                     \
  WW_FUNCTION R __nv_warpwise_compare_##bytes(void* p, R expected, R v, int order, int scope) {                      \
    R old;                                                                                                           \
    WW_ALL_ORDERS("atom", ".cas" type " %0, [%1], %2, %3;", : "=" letter(old) : "l"(p), letter(expected), letter(v)) \
    return old;                                                                                                      \
  }
#define WARPWISE_UPDATE(operation, type, R, letter)                                                         \
  WW_FUNCTION R __nv_warpwise_##operation##_##type(void* p, R v, int order, int scope) {                    \
    R old;                                                                                                  \
    WW_ALL_ORDERS("atom", "." #operation "." #type " %0, [%1], %2;", : "=" letter(old) : "l"(p), letter(v)) \
    return old;                                                                                             \
  }
#include "../../include/cuda/warpwise/builtin_atomics.inc"

// 16 bytes: two registers, which PTX joins to one of 128 bits.
WW_FUNCTION void __nv_warpwise_load_16(const void* p, uint64_t* old, int order, int scope){
    WW_READ_ORDERS("{ .reg .b128 o; ld", ".b128 o, [%2]; mov.b128 {%0, %1}, o; }", : "=l"(old[0]),
                   "=l"(old[1]) : "l"(p))} WW_FUNCTION
    void __nv_warpwise_store_16(void* p, const uint64_t* v, int order, int scope){
        WW_WRITE_ORDERS("{ .reg .b128 n; mov.b128 n, {%1, %2}; st", ".b128 [%0], n; }", : : "l"(p), "l"(v[0]),
                        "l"(v[1]))} WW_FUNCTION
    void __nv_warpwise_compare_16(void* p, const uint64_t* expected, const uint64_t* v, uint64_t* old, int order,
                                  int scope){
        WW_ALL_ORDERS("{ .reg .b128 e, n, o; mov.b128 e, {%3, %4}; mov.b128 n, {%5, %6}; atom",
                      ".cas.b128 o, [%2], e, n; mov.b128 {%0, %1}, o; }", : "=l"(old[0]), "=l"(old[1]) : "l"(p),
                      "l"(expected[0]), "l"(expected[1]), "l"(v[0]), "l"(v[1]))} WW_FUNCTION
    void __nv_warpwise_exch_16(void* p, const uint64_t* v, uint64_t* old, int order, int scope){
        WW_ALL_ORDERS("{ .reg .b128 n, o; mov.b128 n, {%3, %4}; atom",
                      ".exch.b128 o, [%2], n; mov.b128 {%0, %1}, o; }", : "=l"(old[0]), "=l"(old[1]) : "l"(p),
                      "l"(v[0]), "l"(v[1]))} WW_FUNCTION void __nv_warpwise_fence(int order, int scope) {
  if (order == __NV_ATOMIC_SEQ_CST)
    fence_sc(scope);
  else if (order != __NV_ATOMIC_RELAXED)
    fence_acq_rel(scope);
}

#undef WW_READ_ORDERS
#undef WW_WRITE_ORDERS
#undef WW_ALL_ORDERS
#undef WW_SCOPES

}  // namespace warpwise::devicelib
#endif
