// Warps with roles: some ask for tiles, others compute. They speak through barriers of a ring of places in shared
// memory, two for each place:
//
//     landed[stage]   the copy engine tells that the place is filled
//     used[stage]     the warps that compute tell that they have done with it
//
// No other barrier is between them, so the ones that ask are as far ahead as the ring is long. They need few registers,
// and leave the rest to those who compute (setmaxnreg, sm_90a; PTX ISA, "setmaxnreg").
#pragma once

#include "bulk.h"

// Where in the ring, and in which round.
template <int kStages>
struct RingPlace {
  int stage = 0;
  unsigned round = 0;

  __device__ void next() {
    if (++stage == kStages) stage = 0, round ^= 1;
  }
  // So many places on.
  __device__ void skip(int places) {
    stage += places;
    round ^= unsigned(stage / kStages) & 1;
    stage %= kStages;
  }
};

template <int kRegisters>
__device__ __forceinline__ void give_up_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

__device__ __forceinline__ void arrive(Barrier* barrier) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// The threads of a warpgroup meet. Barrier 0 is __syncthreads(), so groups of warps count from 1.
__device__ __forceinline__ void meet(int warpgroup) { asm volatile("bar.sync %0, 128;" ::"r"(warpgroup) : "memory"); }
