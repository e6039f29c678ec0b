// Barriers in shared memory with separate arrive and wait steps (CUDA C++ programming guide, "Memory Barrier Primitives
// Interface"): each is an mbarrier.
#pragma once

#include "cuda_runtime.h"
#ifdef __CUDACC__  // host sources (.cpp) get nothing
#include "warpwise/begin_device_code.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

#define WARPWISE_MBARRIER static inline __device__ __attribute__((always_inline))

WARPWISE_MBARRIER unsigned int __mbarrier_address(const void* barrier) {
  return static_cast<unsigned int>(__cvta_generic_to_shared(barrier));
}
// The largest arrival count of a barrier.
WARPWISE_MBARRIER unsigned int __mbarrier_maximum_count() { return (1u << 20) - 1; }
WARPWISE_MBARRIER void __mbarrier_init(__mbarrier_t* barrier, unsigned int expected_count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(__mbarrier_address(barrier)), "r"(expected_count) : "memory");
}
WARPWISE_MBARRIER void __mbarrier_inval(__mbarrier_t* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" : : "r"(__mbarrier_address(barrier)) : "memory");
}
WARPWISE_MBARRIER __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(__mbarrier_address(barrier)) : "memory");
  return token;
}
WARPWISE_MBARRIER __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(__mbarrier_address(barrier)) : "memory");
  return token;
}
WARPWISE_MBARRIER bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  unsigned int done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(__mbarrier_address(barrier)), "l"(token) : "memory");
  return done != 0;
}
WARPWISE_MBARRIER unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned int count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}
WARPWISE_MBARRIER bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool phase_parity) {
  unsigned int done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(__mbarrier_address(barrier)), "r"(static_cast<unsigned int>(phase_parity)) : "memory");
  return done != 0;
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
WARPWISE_MBARRIER bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, unsigned int max_sleep_nanosec) {
  unsigned int done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(__mbarrier_address(barrier)), "l"(token), "r"(max_sleep_nanosec) : "memory");
  return done != 0;
}
WARPWISE_MBARRIER bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool phase_parity, unsigned int max_sleep_nanosec) {
  unsigned int done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2, %3; selp.u32 %0, 1, 0, p; }"
               : "=r"(done) : "r"(__mbarrier_address(barrier)), "r"(static_cast<unsigned int>(phase_parity)), "r"(max_sleep_nanosec)
               : "memory");
  return done != 0;
}
#endif

#undef WARPWISE_MBARRIER
#endif
#endif

#include "warpwise/end_device_code.h"

#endif  // __CUDACC__
