// step: 64 queries by tiles of 64 keys in shared memory, in fp32
// takes: head % 64 == 0 and head <= 128
//
// A thread computes 4x4 scores, and then 4 rows by head / 16 columns of the result. Weights go through shared memory,
// because whoever computes a score does not need it next.
//
// Expected: 20 TFLOP/s, a third of what fp32 can do: 8 loads of 4 bytes from shared memory for 16 multiply-adds.
//
// Found (H100): 28.9 TFLOP/s for 128 columns and 4,096 positions, 27.2 for 64.
#include <cuda_bf16.h>

#include "../parts/launch.h"

namespace {

constexpr int kTile = 64, kSide = 16, kEach = kTile / kSide;

template <int kHead>
struct Memory {
  float q[kTile][kHead + 1], k[kTile][kHead + 1], v[kTile][kHead], weights[kTile][kTile + 1];
};

template <int kHead>
__global__ void __launch_bounds__(kSide* kSide)
    tiles(const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v, __nv_bfloat16* out, int length,
          int causal) {
  extern __shared__ float bytes[];
  auto& memory = *reinterpret_cast<Memory<kHead>*>(bytes);
  constexpr int kColumns = kHead / kSide;
  int row = int(threadIdx.x) / kSide, lane = int(threadIdx.x) % kSide, first = int(blockIdx.x) * kTile;
  size_t plane = size_t(blockIdx.y) * length * kHead;
  float scale = rsqrtf(float(kHead));
  auto read = [&](const __nv_bfloat16* from, int start, int at) {
    return start + at / kHead < length ? __bfloat162float(from[plane + size_t(start) * kHead + at]) : 0.0f;
  };
  for (int i = int(threadIdx.x); i < kTile * kHead; i += kSide * kSide)
    memory.q[i / kHead][i % kHead] = read(q, first, i) * scale;
  float most[kEach], sum[kEach] = {}, result[kEach][kColumns] = {};
  for (float& m : most) m = -INFINITY;
  int keys = causal ? min(length, first + kTile) : length;
  for (int start = 0; start < keys; start += kTile) {
    __syncthreads();  // all have done with the tiles before
    for (int i = int(threadIdx.x); i < kTile * kHead; i += kSide * kSide) {
      memory.k[i / kHead][i % kHead] = read(k, start, i);
      memory.v[i / kHead][i % kHead] = read(v, start, i);
    }
    __syncthreads();
    float scores[kEach][kEach] = {};
#pragma unroll 8
    for (int c = 0; c < kHead; ++c) {
      float from_q[kEach], from_k[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i)
        from_q[i] = memory.q[row + i * kSide][c], from_k[i] = memory.k[lane + i * kSide][c];
#pragma unroll
      for (int i = 0; i < kEach; ++i)
#pragma unroll
        for (int j = 0; j < kEach; ++j) scores[i][j] += from_q[i] * from_k[j];
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      int query = first + row + i * kSide;
      float larger = most[i];
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        int key = start + lane + j * kSide;
        if (key >= length || (causal && key > query)) scores[i][j] = -INFINITY;
        larger = fmaxf(larger, scores[i][j]);
      }
#pragma unroll
      for (int distance = kSide / 2; distance > 0; distance /= 2)
        larger = fmaxf(larger, __shfl_xor_sync(0xffffffffu, larger, distance));
      float base = larger == -INFINITY ? 0.0f : larger, correction = __expf(most[i] - base);
      most[i] = larger, sum[i] *= correction;
#pragma unroll
      for (int j = 0; j < kEach; ++j) {
        float weight = __expf(scores[i][j] - base);
        memory.weights[row + i * kSide][lane + j * kSide] = weight, sum[i] += weight;
      }
#pragma unroll
      for (float& part : result[i]) part *= correction;
    }
    __syncwarp();  // the 16 lanes of a row are in one warp
#pragma unroll 4
    for (int key = 0; key < kTile; ++key) {
      float from_v[kColumns];
#pragma unroll
      for (int c = 0; c < kColumns; ++c) from_v[c] = memory.v[key][lane + c * kSide];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        float weight = memory.weights[row + i * kSide][key];
#pragma unroll
        for (int c = 0; c < kColumns; ++c) result[i][c] += weight * from_v[c];
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
#pragma unroll
    for (int distance = kSide / 2; distance > 0; distance /= 2)
      sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], distance);
    int query = first + row + i * kSide;
    if (query >= length) continue;
#pragma unroll
    for (int c = 0; c < kColumns; ++c)
      out[plane + size_t(query) * kHead + lane + c * kSide] = __float2bfloat16(result[i][c] / sum[i]);
  }
}

template <int kHead>
void launch(const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v, __nv_bfloat16* out, int heads,
            int length, int causal) {
  constexpr int kBytes = int(sizeof(Memory<kHead>));
  must(cudaFuncSetAttribute(tiles<kHead>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes), "shared memory");
  tiles<kHead><<<dim3((length + kTile - 1) / kTile, heads), kSide * kSide, kBytes>>>(q, k, v, out, length, causal);
}

}  // namespace

extern "C" void solve(const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v, __nv_bfloat16* out,
                      int heads, int length, int head, int causal) {
  if (head == 64)
    launch<64>(q, k, v, out, heads, length, causal);
  else
    launch<128>(q, k, v, out, heads, length, causal);
}
