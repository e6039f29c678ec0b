// Bulk copies from global to shared memory, the mbarriers that tell when they have landed, and the way back (sm_90).
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

// A cache policy for what is not read again soon: in the L2 cache it gives way to anything else. That is what
// `createpolicy.fractional.L2::evict_first` makes on sm_90 (CUTLASS has it as TMA::CacheHintSm90::EVICT_FIRST).
constexpr unsigned long long kEvictFirst = 0x12f0000000000000;

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

// The way back. The threads that have written to shared memory call show_to_copy_engine() and meet at a barrier before
// one of them calls this, and then end_copies_out().
__device__ __forceinline__ void copy_out(void* to, const void* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
               "r"(shared_address(from)), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void show_to_copy_engine() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void end_copies_out() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
// Until what this thread has sent out may be overwritten, but for the last kOnTheWay; and until all is in memory.
template <int kOnTheWay = 0>
__device__ __forceinline__ void wait_until_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kOnTheWay) : "memory");
}
__device__ __forceinline__ void wait_until_written() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
