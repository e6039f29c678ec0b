// Products by a warpgroup, straight from shared memory (sm_90a).
//
// Four warps multiply a tile of 64 rows with one of kColumns columns. Neither goes through registers: descriptors say
// where both lie. Only the sums are in registers, spread over the 128 threads:
//
//     sums[j][r]: row 16 * warp + lane / 4 + 8 * (r / 2), column 8 * j + lane % 4 * 2 + r % 2
//
//     begin_products();                    // what was written to the sums before is visible to the tensor core
//     multiply(sums, tile_of(a), tile_of(b));
//     end_products();                      // a group of products, which end in order
//     wait_for_products<1>();              // until one group at most is under way
//     wait_for_sums(sums);                 // until none is
//
// A tile has rows of 64 bfloat16, which are neighbours along k, and lies as the copy engine puts it down with a swizzle
// of 128 bytes: chunk c of 16 bytes of row r at r * 128 + (c ^ r % 8) * 16. So any eight rows of a chunk are in
// different banks. The next 16 along k are 32 bytes on.
//
// PTX ISA, "wgmma.mma_async" and "Matrix descriptor".
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "bulk.h"

constexpr int kTileDepth = 64;     // elements along k: 128 bytes
constexpr int kProductDepth = 16;  // of one product

// The address, 1024 bytes from eight rows to the next eight, a swizzle of 128 bytes. All in units of 16 bytes.
__device__ __forceinline__ unsigned long long tile_of(const void* tile) {
  constexpr unsigned long long kEightRows = 1024 / 16, kSwizzle128 = 1;
  return (shared_address(tile) & 0x3ffff) / 16 | 1ull << 16 | kEightRows << 32 | kSwizzle128 << 62;
}
// `k` elements on along k, within a row of the tile.
__device__ __forceinline__ unsigned long long along(unsigned long long tile, int k) {
  return tile + unsigned(k) * sizeof(__nv_bfloat16) / 16;
}

__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// Until so many groups at most are under way.
template <int kUnderWay>
__device__ __forceinline__ void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kUnderWay) : "memory");
}
// Until all are done. The sums belong to the tensor core before; naming them here keeps the compiler from using them.
template <int kEights>
__device__ __forceinline__ void wait_for_sums(float (&sums)[kEights][4]) {
  wait_for_products<0>();
#pragma unroll
  for (auto& eight : sums) asm volatile("" : "+f"(eight[0]), "+f"(eight[1]), "+f"(eight[2]), "+f"(eight[3])::"memory");
}

// The operands of an instruction, eight columns at a time.
#define SUMS_1(j) "+f"(sums[j][0]), "+f"(sums[j][1]), "+f"(sums[j][2]), "+f"(sums[j][3])
#define SUMS_4(j) SUMS_1(j), SUMS_1(j + 1), SUMS_1(j + 2), SUMS_1(j + 3)
#define SUMS_8(j) SUMS_4(j), SUMS_4(j + 4)

// sums += a (64 rows) times b (a tile whose rows are columns of the result), 16 along k.
__device__ __forceinline__ void multiply_16(float (&sums)[16][4], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, 1, 1, 1, 0, 0;"
      : SUMS_8(0), SUMS_8(8)
      : "l"(a), "l"(b)
      : "memory");
}
__device__ __forceinline__ void multiply_16(float (&sums)[24][4], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n192k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      " %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      " %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95}, "
      "%96, %97, 1, 1, 1, 0, 0;"
      : SUMS_8(0), SUMS_8(8), SUMS_8(16)
      : "l"(a), "l"(b)
      : "memory");
}
__device__ __forceinline__ void multiply_16(float (&sums)[32][4], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      " %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      " %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      " %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      " %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, 1, 1, 1, 0, 0;"
      : SUMS_8(0), SUMS_8(8), SUMS_8(16), SUMS_8(24)
      : "l"(a), "l"(b)
      : "memory");
}

#undef SUMS_8
#undef SUMS_4
#undef SUMS_1

// The same along the whole depth of the tiles.
template <int kEights>
__device__ __forceinline__ void multiply(float (&sums)[kEights][4], unsigned long long a, unsigned long long b) {
#pragma unroll
  for (int k = 0; k < kTileDepth; k += kProductDepth) multiply_16(sums, along(a, k), along(b, k));
}
