// Combining one part per thread into one for the block: shuffles in each warp, shared memory between warps, one
// barrier.
//
//     struct Sum {                                       // a part; without a constructor, since Clang lets shared
//       float value;                                     // variables have none
//       static __device__ Sum nothing() { return {0}; }
//     };
//     __device__ Sum of_warp(Sum mine);                  // combines the parts of a warp; every lane gets the result
//     ...
//     Sum all = of_block(mine, room);                    // every thread gets the result
//
// `room` is shared memory for one part per warp. A caller in a loop alternates between two rooms: the barrier of one
// round then keeps a fast warp from overwriting what a slow one still reads from the round before.
#pragma once

#include <cuda_runtime.h>

__device__ __forceinline__ float sum_of_warp(float x) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) x += __shfl_xor_sync(0xffffffffu, x, distance);
  return x;
}

__device__ __forceinline__ float largest_of_warp(float x) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, distance));
  return x;
}

// The parts of the first `parts` places, combined by each warp.
template <class Part>
__device__ __forceinline__ Part of_room(const Part* room, int parts) {
  Part mine = Part::nothing();
  if (int(threadIdx.x) % 32 < parts) mine = room[threadIdx.x % 32];
  return of_warp(mine);
}

template <class Part>
__device__ __forceinline__ Part of_block(Part mine, Part* room) {
  mine = of_warp(mine);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = mine;
  __syncthreads();
  return of_room(room, int(blockDim.x) / 32);
}
