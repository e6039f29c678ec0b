// Clusters: blocks that run at the same time on neighbouring SMs, and see each other's shared memory (sm_90).
//
//     store_remote(&parts[slot], other, value);   // into block `other`, where `parts` lies at the same place
//     cluster_barrier();                          // what was written before is visible after
//
// A block must not end while others may still write to its shared memory: a last barrier keeps it.
// PTX ISA, "mapa", "barrier.cluster".
#pragma once

#include <cuda_runtime.h>

__device__ __forceinline__ unsigned cluster_rank() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ __forceinline__ unsigned cluster_size() {
  unsigned size;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
}

__device__ __forceinline__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// The address in the shared memory of another block.
__device__ __forceinline__ unsigned remote_address(const void* here, unsigned block) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(unsigned(__cvta_generic_to_shared(here))), "r"(block));
  return there;
}

// One arrival at the mbarrier of another block that lies where `barrier` does here.
__device__ __forceinline__ void arrive_remote(unsigned long long* barrier, unsigned block) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(remote_address(barrier, block))
               : "memory");
}

// The same by a thread that has only read what the other block waits to overwrite. It orders nothing else before it: a
// release for the cluster waits until all stores of the thread have reached L2, which takes about a microsecond each
// time.
__device__ __forceinline__ void leave_remote(unsigned long long* barrier, unsigned block) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(remote_address(barrier, block)) : "memory");
}

// T: some words of 4 bytes.
template <class T>
__device__ __forceinline__ void store_remote(T* slot, unsigned block, const T& value) {
  unsigned there = remote_address(slot, block);
  const unsigned* words = reinterpret_cast<const unsigned*>(&value);
#pragma unroll
  for (int i = 0; i < int(sizeof(T) / 4); ++i)
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 4 * i), "r"(words[i]) : "memory");
}
