// Bulk copies from global to shared memory, and the mbarriers that tell when they have landed (sm_90).
//
// One thread asks for kilobytes, the copy engine fetches them, and no register waits for them. So the bytes in flight
// depend on shared memory alone, and not on how many threads are resident.
//
//     if (threadIdx.x == 0) {
//       barrier_init(&landed);               // once, before a barrier of the block
//       expect_bytes(&landed, bytes);
//       copy_in(stage, row, bytes, &landed);  // addresses and size: multiples of 16
//     }
//     wait_for(&landed, parity);              // all threads; of the barrier's first use 0, then 1, 0, …
//
// PTX ISA, "cp.async.bulk" and "mbarrier".
#pragma once

#include <cuda_runtime.h>

using Barrier = unsigned long long;

__device__ __forceinline__ unsigned shared_address(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }

// One thread announces the bytes, so one arrival completes a phase. The fence shows the barrier to the copy engine.
__device__ __forceinline__ void barrier_init(Barrier* barrier, int arrivals = 1) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void expect_bytes(Barrier* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void copy_in(void* to, const void* from, unsigned bytes, Barrier* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}

__device__ __forceinline__ void wait_for(Barrier* barrier, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again_%=:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again_%=;\n"
      "}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
