// What the blocks of a cluster tell each other, without a barrier of the cluster.
//
// A barrier of the cluster is a release: a thread first waits until its stores to global memory have reached L2, so the
// results of one row delay the sums of the next. An asynchronous store (st.async) goes into the other block's shared
// memory and counts its bytes at the mbarrier there; nothing else waits. For rows of 262,144 it is worth a fifth to a
// half (softmax: 904 us with barriers, 743 without; RMS norm: 1030 and 712; the same ring on an H200).
//
//     if (threadIdx.x == 0) barrier_init(&told), expect_bytes(&told, blocks * sizeof(Part));
//     cluster_arrive();  …  cluster_wait();                    // once: all barriers are ready
//     if (threadIdx.x < blocks) tell(&parts[rank], threadIdx.x, part, &told);
//     wait_for_cluster(&told, parity);                         // parts[0 … blocks - 1] are there
//
// The launch must have clusters: without them an H200 takes `tell` for an illegal instruction.
//
// PTX ISA, "st.async".
#pragma once

#include "bulk.h"
#include "cluster.h"

__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ __forceinline__ void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

// T: some words of 4 bytes. `slot` and `barrier` lie in the other block where they lie here.
template <class T>
__device__ __forceinline__ void tell(T* slot, unsigned block, const T& value, Barrier* barrier) {
  unsigned there = remote_address(slot, block), counted = remote_address(barrier, block);
  const unsigned* words = reinterpret_cast<const unsigned*>(&value);
#pragma unroll
  for (int i = 0; i < int(sizeof(T) / 4); ++i)
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(there + 4 * i),
                 "r"(words[i]), "r"(counted)
                 : "memory");
}

__device__ __forceinline__ void wait_for_cluster(Barrier* barrier, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again_%=:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again_%=;\n"
      "}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
