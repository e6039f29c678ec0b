// Asynchronous copies from global to shared memory (CUDA C++ programming guide, "Pipeline Primitives Interface").
#pragma once

#include "cuda_runtime.h"
#ifdef __CUDACC__  // host sources (.cpp) get nothing
#include "cuda_awbarrier_primitives.h"
#include "warpwise/begin_device_code.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
// 4, 8 or 16 bytes, of which the last `zfill` are zeros. Copies of 16 bytes bypass the L1 cache.
static inline __device__ __attribute__((always_inline)) void __pipeline_memcpy_async(void* shared, const void* global,
                                                                                     size_t size, size_t zfill = 0) {
  const unsigned int to = static_cast<unsigned int>(__cvta_generic_to_shared(shared));
  const size_t from = __cvta_generic_to_global(global);
  const unsigned int bytes = static_cast<unsigned int>(size - zfill);
  if (size == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(to), "l"(from), "r"(bytes) : "memory");
  else if (size == 8) asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"(to), "l"(from), "r"(bytes) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(to), "l"(from), "r"(bytes) : "memory");
}
static inline __device__ void __pipeline_commit() { asm volatile("cp.async.commit_group;" : : : "memory"); }
// Waits until all but the last n committed groups have arrived.
static inline __device__ __attribute__((always_inline)) void __pipeline_wait_prior(size_t n) {
  switch (n) {
    case 0: asm volatile("cp.async.wait_group 0;" : : : "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" : : : "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" : : : "memory"); break;
    case 3: asm volatile("cp.async.wait_group 3;" : : : "memory"); break;
    case 4: asm volatile("cp.async.wait_group 4;" : : : "memory"); break;
    case 5: asm volatile("cp.async.wait_group 5;" : : : "memory"); break;
    case 6: asm volatile("cp.async.wait_group 6;" : : : "memory"); break;
    case 7: asm volatile("cp.async.wait_group 7;" : : : "memory"); break;
    default: asm volatile("cp.async.wait_group 8;" : : : "memory"); break;
  }
}
// Arrives at a barrier when the copies so far have completed; the barrier's count does not include this arrival.
static inline __device__ void __pipeline_arrive_on(__mbarrier_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" : : "r"(static_cast<unsigned int>(__cvta_generic_to_shared(barrier))) : "memory");
}
#endif

#include "warpwise/end_device_code.h"

#endif  // __CUDACC__
