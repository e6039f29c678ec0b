// Results from the registers of a warp to shared memory, rounded to bfloat16 (sm_90; PTX ISA, "stmatrix").
#pragma once

#include <cuda_bf16.h>

#include "bulk.h"

// Four matrices of 8x8 from the registers of a warp: rows of 16 bytes, whose addresses the lanes give.
__device__ __forceinline__ void store_matrices(void* to, unsigned a, unsigned b, unsigned c, unsigned d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(shared_address(to)), "r"(a),
               "r"(b), "r"(c), "r"(d)
               : "memory");
}

__device__ __forceinline__ unsigned rounded(float2 pair) {
  const __nv_bfloat162 both = __float22bfloat162_rn(pair);
  return reinterpret_cast<const unsigned&>(both);
}
