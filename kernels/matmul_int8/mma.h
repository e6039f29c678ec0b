// mma.sync for elements of a byte: a warp computes 64x32 elements of the result from fragments of 16 rows by 32 bytes.
//
// ldmatrix moves rows of 16 bytes, whatever is in them: eight bfloat16 or sixteen bytes. So addresses, swizzle and
// fragments are those of bfloat16 (../matmul_bf16/03_mma.cu), and a tile of 128 bytes along k is 128 elements deep.
#pragma once

#include "../parts/launch.h"
#include "../parts/wgmma.h"

constexpr int kTile = 128, kPlaces = 3, kThreadsOfBlock = 256;
constexpr int kWarpRows = 64, kWarpColumns = 32, kDown = kWarpRows / 16, kRight = kWarpColumns / 8;

struct MmaMemory {
  unsigned char a[kPlaces][kTile * kTileBytes], b[kPlaces][kTile * kTileBytes];
};

__device__ __forceinline__ unsigned address_of(const unsigned char* tile, int row, int chunk) {
  return shared_address(tile) + unsigned(row * kTileBytes + (chunk ^ row % 8) * 16);
}

// A tile, of which each thread asks for four chunks. What lies outside of the matrix becomes zeros. `k`: bytes of a
// row.
__device__ __forceinline__ void ask(const unsigned char* tile, const void* from, int first, int rows, int start,
                                    int k) {
  constexpr int kChunks = kTileBytes / 16;
#pragma unroll
  for (int i = int(threadIdx.x); i < kTile * kChunks; i += kThreadsOfBlock) {
    int row = i / kChunks, chunk = i % kChunks;
    bool inside = first + row < rows && start + chunk * 16 < k;
    size_t place = inside ? size_t(first + row) * k + start + chunk * 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address_of(tile, row, chunk)),
                 "l"(__cvta_generic_to_global(static_cast<const char*>(from) + place)), "r"(inside ? 16 : 0)
                 : "memory");
  }
}

__device__ __forceinline__ void load_fragments(unsigned (&to)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}

__device__ __forceinline__ void multiply_by_warp(int8_t, int (&sums)[4], const unsigned (&a)[4], unsigned b0,
                                                 unsigned b1) {
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ __forceinline__ void multiply_by_warp(__nv_fp8_e4m3, float (&sums)[4], const unsigned (&a)[4], unsigned b0,
                                                 unsigned b1) {
  asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <class T>
__global__ void __launch_bounds__(kThreadsOfBlock, 2)
    by_warps(const T* a, const T* b, const float* scale_a, const float* scale_b, __nv_bfloat16* c, int m, int n,
             int k) {
  extern __shared__ __align__(128) unsigned char bytes[];
  MmaMemory& memory = *reinterpret_cast<MmaMemory*>(bytes);
  int first_row = int(blockIdx.y) * kTile, first_column = int(blockIdx.x) * kTile;
  int steps = (k + kTileBytes - 1) / kTileBytes;
  int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32;
  int row = warp / 4 * kWarpRows, column = warp % 4 * kWarpColumns;
  auto fetch = [&](int step) {
    if (step < steps) {
      ask(memory.a[step % kPlaces], a, first_row, m, step * kTileBytes, k);
      ask(memory.b[step % kPlaces], b, first_column, n, step * kTileBytes, k);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  for (int step = 0; step + 1 < kPlaces; ++step) fetch(step);
  typename SumOf<T>::Type sums[kDown][kRight][4] = {};
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(kPlaces - 2) : "memory");
    __syncthreads();  // the tiles of all threads are there, and all have done with the place that is filled next
    fetch(step + kPlaces - 1);
    const unsigned char *tile_a = memory.a[step % kPlaces], *tile_b = memory.b[step % kPlaces];
#pragma unroll
    for (int chunk = 0; chunk < kTileBytes / 16; chunk += 2) {
      unsigned from_a[kDown][4], from_b[kRight / 2][4];
#pragma unroll
      for (int i = 0; i < kDown; ++i)
        load_fragments(from_a[i], address_of(tile_a, row + i * 16 + lane % 16, chunk + lane / 16));
#pragma unroll
      for (int j = 0; j < kRight / 2; ++j)
        load_fragments(from_b[j], address_of(tile_b, column + j * 16 + lane % 8 + lane / 16 * 8, chunk + lane / 8 % 2));
#pragma unroll
      for (int i = 0; i < kDown; ++i)
#pragma unroll
        for (int j = 0; j < kRight; ++j)
          multiply_by_warp(T{}, sums[i][j], from_a[i], from_b[j / 2][j % 2 * 2], from_b[j / 2][j % 2 * 2 + 1]);
    }
  }
#pragma unroll
  for (int i = 0; i < kDown; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      int r = first_row + row + i * 16 + lane / 4 + half * 8;
      float of_row = r < m ? scale_a[r] : 0;
#pragma unroll
      for (int j = 0; j < kRight; ++j) {
        int s = first_column + column + j * 8 + lane % 4 * 2;
        if (r < m && s < n)
          *reinterpret_cast<__nv_bfloat162*>(&c[size_t(r) * n + s]) =
              __floats2bfloat162_rn(float(sums[i][j][half * 2]) * of_row * scale_b[s],
                                    float(sums[i][j][half * 2 + 1]) * of_row * scale_b[s + 1]);
      }
    }
}

template <class T>
void solve_by_warps(const T* a, const T* b, const float* scale_a, const float* scale_b, __nv_bfloat16* c, int m, int n,
                    int k) {
  must(cudaFuncSetAttribute(by_warps<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(MmaMemory))),
       "shared memory");
  dim3 blocks((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  by_warps<T><<<blocks, kThreadsOfBlock, sizeof(MmaMemory)>>>(a, b, scale_a, scale_b, c, m, n, k);
}
