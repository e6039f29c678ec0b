// Products by a warpgroup, straight from shared memory (sm_90a).
//
// Four warps multiply a tile of 64 rows with one of kColumns columns. Descriptors say where in shared memory both lie.
// Only the sums are in registers, spread over the 128 threads:
//
//     sums[j][r]: row 16 * warp + lane / 4 + 8 * (r / 2), column 8 * j + lane % 4 * 2 + r % 2
//
//     begin_products();                    // what was written to the sums before is visible to the tensor core
//     multiply<T>(sums, tile_of(a), tile_of(b));
//     end_products();                      // a group of products, which end in order
//     wait_for_products<1>();              // until one group at most is under way
//     wait_for_sums(sums);                 // until none is
//
// A tile has rows of 128 bytes, which are neighbours along k, and lies as the copy engine puts it down with a swizzle
// of 128 bytes: chunk c of 16 bytes of row r at r * 128 + (c ^ r % 8) * 16. So any eight rows of a chunk are in
// different banks. A product takes 32 bytes along k, whatever the elements: 16 bfloat16, 32 of e4m3 or of 8-bit
// integers.
//
// Of bfloat16, the first factor may be in registers, and the second may lie with its rows along the columns of the
// result (columns_of): what attention does with its weights and values. Of halves, the second factor lies so, too: a
// product of matrices that are both stored by rows. Or the first factor is in registers, and the second a tile as
// above.
//
// PTX ISA, "wgmma.mma_async" and "Matrix descriptor".
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "bulk.h"

constexpr int kTileBytes = 128, kProductBytes = 32;  // along k: of a tile, of one product
template <class T>
constexpr int kTileDepth = kTileBytes / int(sizeof(T));  // in elements

template <class T>
struct SumOf {
  using Type = float;
};
template <>
struct SumOf<int8_t> {
  using Type = int;
};

// The address, 1024 bytes from eight rows to the next eight, a swizzle of 128 bytes. All in units of 16 bytes.
__device__ __forceinline__ unsigned long long tile_of(const void* tile) {
  constexpr unsigned long long kEightRows = 1024 / 16, kSwizzle128 = 1;
  return (shared_address(tile) & 0x3ffff) / 16 | 1ull << 16 | kEightRows << 32 | kSwizzle128 << 62;
}
// So many bytes on.
__device__ __forceinline__ unsigned long long along(unsigned long long tile, int bytes) {
  return tile + unsigned(bytes) / 16;
}
// A tile whose rows are along k, and whose 64 elements of two bytes of a row are columns of the result. Where there are
// more columns than 64, the next tile lies `next` bytes on. 16 along k are 16 rows: 2048 bytes.
__device__ __forceinline__ unsigned long long columns_of(const void* tile, unsigned next) {
  constexpr unsigned long long kEightRows = 1024 / 16, kSwizzle128 = 1;
  return (shared_address(tile) & 0x3ffff) / 16 | (unsigned long long)(next / 16) << 16 | kEightRows << 32 |
         kSwizzle128 << 62;
}

__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// Until so many groups at most are under way.
template <int kUnderWay>
__device__ __forceinline__ void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kUnderWay) : "memory");
}
// The sums belong to the tensor core until they have been waited for; naming them keeps the compiler from using them
// before.
template <int kEights>
__device__ __forceinline__ void take_back(float (&sums)[kEights][4]) {
#pragma unroll
  for (auto& eight : sums) asm volatile("" : "+f"(eight[0]), "+f"(eight[1]), "+f"(eight[2]), "+f"(eight[3])::"memory");
}
template <int kEights>
__device__ __forceinline__ void take_back(int (&sums)[kEights][4]) {
#pragma unroll
  for (auto& eight : sums) asm volatile("" : "+r"(eight[0]), "+r"(eight[1]), "+r"(eight[2]), "+r"(eight[3])::"memory");
}
template <class Sum, int kEights>
__device__ __forceinline__ void wait_for_sums(Sum (&sums)[kEights][4]) {
  wait_for_products<0>();
  take_back(sums);
}

// The operands of an instruction, eight columns at a time, and what names them.
#define SUMS_1(c, j) c(sums[j][0]), c(sums[j][1]), c(sums[j][2]), c(sums[j][3])
#define SUMS_4(c, j) SUMS_1(c, j), SUMS_1(c, j + 1), SUMS_1(c, j + 2), SUMS_1(c, j + 3)
#define SUMS_8(c, j) SUMS_4(c, j), SUMS_4(c, j + 4)
#define SUMS_64(c) SUMS_8(c, 0)
#define SUMS_128(c) SUMS_8(c, 0), SUMS_8(c, 8)
#define SUMS_192(c) SUMS_128(c), SUMS_8(c, 16)
#define SUMS_256(c) SUMS_192(c), SUMS_8(c, 24)
#define NAMES_64                                                           \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define NAMES_128                                                                    \
  NAMES_64                                                                           \
  ", "                                                                               \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define NAMES_192                                                                    \
  NAMES_128                                                                          \
  ", "                                                                               \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define NAMES_256                                                                                \
  NAMES_192                                                                                      \
  ", "                                                                                           \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

// sums = a (64 rows) times b (a tile whose rows are columns of the result), 32 bytes along k; added to what the sums
// were if kAdd. a, b, c, d, e: the names of the operands after the sums.
#define PRODUCTS(columns, a, b, c, d, e)                                                                               \
  template <int kAdd>                                                                                                  \
  __device__ __forceinline__ void product(__nv_bfloat16, float(&sums)[columns / 8][4], unsigned long long left,        \
                                          unsigned long long right) {                                                  \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.bf16.bf16 {" NAMES_##columns                    \
                 "}, " a ", " b ", " c ", 1, 1, 0, 0;"                                                                 \
                 : SUMS_##columns("+f")                                                                                \
                 : "l"(left), "l"(right), "n"(kAdd)                                                                    \
                 : "memory");                                                                                          \
  }                                                                                                                    \
  template <int kAdd>                                                                                                  \
  __device__ __forceinline__ void product(__nv_fp8_e4m3, float(&sums)[columns / 8][4], unsigned long long left,        \
                                          unsigned long long right) {                                                  \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k32.f32.e4m3.e4m3 {" NAMES_##columns "}, " a ", " b     \
                                                                                                    ", " c ", 1, 1;"   \
                 : SUMS_##columns("+f")                                                                                \
                 : "l"(left), "l"(right), "n"(kAdd)                                                                    \
                 : "memory");                                                                                          \
  }                                                                                                                    \
  template <int kAdd>                                                                                                  \
  __device__ __forceinline__ void product(int8_t, int(&sums)[columns / 8][4], unsigned long long left,                 \
                                          unsigned long long right) {                                                  \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k32.s32.s8.s8 {" NAMES_##columns "}, " a ", " b ", " c  \
                                                                                                ";"                    \
                 : SUMS_##columns("+r")                                                                                \
                 : "l"(left), "l"(right), "n"(kAdd)                                                                    \
                 : "memory");                                                                                          \
  }                                                                                                                    \
  template <int kAdd>                                                                                                  \
  __device__ __forceinline__ void product_by_rows(__half, float(&sums)[columns / 8][4], unsigned long long left,       \
                                                  unsigned long long columns_of_right) {                               \
    if constexpr (kAdd)                                                                                                \
      asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16.f16 {" NAMES_##columns "}, " a ", " b     \
                                                                                                    ", 1, 1, 1, 0, 1;" \
                   : SUMS_##columns("+f")                                                                              \
                   : "l"(left), "l"(columns_of_right)                                                                  \
                   : "memory");                                                                                        \
    else                                                                                                               \
      asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16.f16 {" NAMES_##columns "}, " a ", " b     \
                                                                                                    ", 0, 1, 1, 0, 1;" \
                   : SUMS_##columns("=f")                                                                              \
                   : "l"(left), "l"(columns_of_right)                                                                  \
                   : "memory");                                                                                        \
  }                                                                                                                    \
  template <int kAdd>                                                                                                  \
  __device__ __forceinline__ void product_from_registers(__half, float(&sums)[columns / 8][4],                         \
                                                         const unsigned(&left)[4], unsigned long long right) {         \
    if constexpr (kAdd)                                                                                                \
      asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16.f16 {" NAMES_##columns                    \
                   "}, {" a ", " b ", " c ", " d "}, " e ", 1, 1, 1, 0;"                                               \
                   : SUMS_##columns("+f")                                                                              \
                   : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right)                                \
                   : "memory");                                                                                        \
    else                                                                                                               \
      asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.f16.f16 {" NAMES_##columns                    \
                   "}, {" a ", " b ", " c ", " d "}, " e ", 0, 1, 1, 0;"                                               \
                   : SUMS_##columns("=f")                                                                              \
                   : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right)                                \
                   : "memory");                                                                                        \
  }                                                                                                                    \
  __device__ __forceinline__ void product_from_registers(float(&sums)[columns / 8][4], const unsigned(&left)[4],       \
                                                         unsigned long long columns_of_right) {                        \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32.bf16.bf16 {" NAMES_##columns                    \
                 "}, {" a ", " b ", " c ", " d "}, " e ", 1, 1, 1, 1;"                                                 \
                 : SUMS_##columns("+f")                                                                                \
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(columns_of_right)                       \
                 : "memory");                                                                                          \
  }

PRODUCTS(64, "%32", "%33", "%34", "%35", "%36")
PRODUCTS(128, "%64", "%65", "%66", "%67", "%68")
PRODUCTS(192, "%96", "%97", "%98", "%99", "%100")
PRODUCTS(256, "%128", "%129", "%130", "%131", "%132")

#undef PRODUCTS
#undef NAMES_64
#undef NAMES_128
#undef NAMES_192
#undef NAMES_256
#undef SUMS_256
#undef SUMS_192
#undef SUMS_128
#undef SUMS_64
#undef SUMS_8
#undef SUMS_4
#undef SUMS_1

// The same along the whole depth of the tiles. With kAdd == 0, what the sums were counts for nothing.
template <class T, int kAdd = 1, int kAt = 0, class Sum, int kEights>
__device__ __forceinline__ void multiply(Sum (&sums)[kEights][4], unsigned long long a, unsigned long long b) {
  if constexpr (kAt < kTileBytes) {
    product<(kAdd || kAt > 0)>(T{}, sums, along(a, kAt), along(b, kAt));
    multiply<T, kAdd, kAt + kProductBytes>(sums, a, b);
  }
}
