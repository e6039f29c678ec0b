// step: tensor cores, a warp at a time: mma.sync, with the next tiles on their way
// takes: head % 64 == 0 and head <= 128
// needs: sm_80
//
// Eight warps have 16 queries each, whose fragments stay in registers. Of keys and values, tiles of 64 rows come by
// cp.async while the tiles before are used. Weights need not go through shared memory any more: the registers in which
// a product leaves scores are those from which the next takes its first factor (online.h).
//
// Expected: 300 TFLOP/s for 128 columns. mma.sync reaches about 0.6 of the peak on this architecture, and while a warp
// computes exponentials, its tensor core has other warps' products alone.
//
// Found (H100): 283 TFLOP/s for 128 columns and 4,096 positions, 210 for 64.
#include "../parts/launch.h"
#include "online.h"

namespace {

constexpr int kWarps = 8, kThreads = kWarps * 32, kQueries = kWarps * 16, kKeys = 64;

template <int kHead>
struct Memory {
  __nv_bfloat16 q[kQueries * kHead], k[2][kKeys * kHead], v[2][kKeys * kHead];
};

// Chunks of 16 bytes are swizzled, so that eight rows of a column of chunks lie in different banks.
template <int kHead>
__device__ __forceinline__ unsigned address_of(const __nv_bfloat16* tile, int row, int chunk) {
  return unsigned(__cvta_generic_to_shared(tile)) + unsigned(row * kHead * 2 + (chunk ^ row % 8) * 16);
}

template <int kHead, int kRows>
__device__ __forceinline__ void ask(const __nv_bfloat16* tile, const __nv_bfloat16* plane, int first, int length) {
  constexpr int kChunks = kHead / 8;
#pragma unroll
  for (int i = int(threadIdx.x); i < kRows * kChunks; i += kThreads) {
    int row = i / kChunks, chunk = i % kChunks;
    bool inside = first + row < length;
    const __nv_bfloat16* from = inside ? &plane[size_t(first + row) * kHead + chunk * 8] : plane;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address_of<kHead>(tile, row, chunk)),
                 "l"(__cvta_generic_to_global(from)), "r"(inside ? 16 : 0)
                 : "memory");
  }
}
__device__ __forceinline__ void end_asking() { asm volatile("cp.async.commit_group;" ::: "memory"); }

__device__ __forceinline__ void load_fragments(unsigned (&to)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void load_fragments_of_columns(unsigned (&to)[4], unsigned address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void multiply(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <int kHead>
__global__ void __launch_bounds__(kThreads, 1)
    by_warps(const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v, __nv_bfloat16* out, int length,
             bool causal, float scale) {
  extern __shared__ __align__(128) unsigned char bytes[];
  auto& memory = *reinterpret_cast<Memory<kHead>*>(bytes);
  size_t plane = size_t(blockIdx.y) * length * kHead;
  int first = (int(gridDim.x) - 1 - int(blockIdx.x)) * kQueries;  // the longest first, where there is a mask
  int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32, row = warp * 16;
  int tiles = ((causal ? min(length, first + kQueries) : length) + kKeys - 1) / kKeys;
  auto fetch = [&](int tile) {
    if (tile < tiles) {
      ask<kHead, kKeys>(memory.k[tile % 2], k + plane, tile * kKeys, length);
      ask<kHead, kKeys>(memory.v[tile % 2], v + plane, tile * kKeys, length);
    }
    end_asking();
  };
  ask<kHead, kQueries>(memory.q, q + plane, first, length);
  fetch(0);
  unsigned queries[kHead / 16][4];
  float result[kHead / 8][4] = {};
  Rows rows;
  for (int tile = 0; tile < tiles; ++tile) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();  // the tiles of all threads are there, and all have done with those before
    if (tile == 0)
#pragma unroll
      for (int i = 0; i < kHead / 16; ++i)
        load_fragments(queries[i], address_of<kHead>(memory.q, row + lane % 16, i * 2 + lane / 16));
    fetch(tile + 1);
    float scores[kKeys / 8][4] = {};
#pragma unroll
    for (int i = 0; i < kHead / 16; ++i)
#pragma unroll
      for (int j = 0; j < kKeys / 16; ++j) {
        unsigned keys[4];
        load_fragments(keys,
                       address_of<kHead>(memory.k[tile % 2], j * 16 + lane % 8 + lane / 16 * 8, i * 2 + lane / 8 % 2));
        multiply(scores[j * 2], queries[i], keys[0], keys[1]);
        multiply(scores[j * 2 + 1], queries[i], keys[2], keys[3]);
      }
    if ((tile + 1) * kKeys > length || (causal && (tile + 1) * kKeys > first + row))
      keep_to(scores, first + row, tile * kKeys, length, causal);
    float correction[2];
    weigh(scores, rows, scale, correction);
    scale_rows(result, correction);
    unsigned weights[kKeys / 16][4];
    pack_weights(scores, weights);
#pragma unroll
    for (int i = 0; i < kKeys / 16; ++i)
#pragma unroll
      for (int j = 0; j < kHead / 16; ++j) {
        unsigned values[4];
        load_fragments_of_columns(values, address_of<kHead>(memory.v[tile % 2], i * 16 + lane % 16, j * 2 + lane / 16));
        multiply(result[j * 2], weights[i], values[0], values[1]);
        multiply(result[j * 2 + 1], weights[i], values[2], values[3]);
      }
  }
  float inverse[2];
  finish(rows, inverse);
  scale_rows(result, inverse);
#pragma unroll
  for (int j = 0; j < kHead / 8; ++j)
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      int query = first + row + lane / 4 + half * 8;
      if (query < length)
        *reinterpret_cast<__nv_bfloat162*>(&out[plane + size_t(query) * kHead + j * 8 + lane % 4 * 2]) =
            __floats2bfloat162_rn(result[j][half * 2], result[j][half * 2 + 1]);
    }
}

template <int kHead>
void launch(const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v, __nv_bfloat16* out, int heads,
            int length, int causal) {
  constexpr int kBytes = int(sizeof(Memory<kHead>));
  must(cudaFuncSetAttribute(by_warps<kHead>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory");
  by_warps<kHead><<<dim3((length + kQueries - 1) / kQueries, heads), kThreads, kBytes>>>(q, k, v, out, length, causal,
                                                                                         scale_of<kHead>());
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v, __nv_bfloat16* out,
                      int heads, int length, int head, int causal) {
  if (head == 64)
    launch<64>(q, k, v, out, heads, length, causal);
  else
    launch<128>(q, k, v, out, heads, length, causal);
}
