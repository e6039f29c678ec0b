// Steps 6 to 11 load tiles into shared memory in the same way: four floats at once, and A transposed, so that the elements
// that a thread needs are neighbours in either tile.
#pragma once

// Of `threads` threads: the tile of A with `kRows` rows and `kDepth` columns to tile[k * pitch + row].
template <int kRows, int kDepth, int kThreads, int kPitch = kRows>
__device__ void load_turned(float* tile, const float* a, int n) {
  for (int i = threadIdx.x * 4; i < kRows * kDepth; i += kThreads * 4) {
    int row = i / kDepth, k = i % kDepth;
    float4 four = *reinterpret_cast<const float4*>(&a[row * n + k]);
    tile[(k + 0) * kPitch + row] = four.x;
    tile[(k + 1) * kPitch + row] = four.y;
    tile[(k + 2) * kPitch + row] = four.z;
    tile[(k + 3) * kPitch + row] = four.w;
  }
}

// The tile of B with `kDepth` rows and `kColumns` columns, as it is.
template <int kDepth, int kColumns, int kThreads>
__device__ void load_straight(float* tile, const float* b, int n) {
  for (int i = threadIdx.x * 4; i < kDepth * kColumns; i += kThreads * 4)
    *reinterpret_cast<float4*>(&tile[i]) = *reinterpret_cast<const float4*>(&b[(i / kColumns) * n + i % kColumns]);
}

// `kCount` neighbours to registers, four at once.
template <int kCount>
__device__ void take(float* to, const float* from) {
  #pragma unroll
  for (int i = 0; i < kCount; i += 4) {
    float4 four = *reinterpret_cast<const float4*>(&from[i]);
    to[i] = four.x, to[i + 1] = four.y, to[i + 2] = four.z, to[i + 3] = four.w;
  }
}

// c[0 .. kCount) = alpha · sums + beta · c
template <int kCount>
__device__ void put(float* c, const float* sums, float alpha, float beta) {
  #pragma unroll
  for (int j = 0; j < kCount; j += 4) {
    float4 four = *reinterpret_cast<float4*>(&c[j]);
    four.x = alpha * sums[j] + beta * four.x;
    four.y = alpha * sums[j + 1] + beta * four.y;
    four.z = alpha * sums[j + 2] + beta * four.z;
    four.w = alpha * sums[j + 3] + beta * four.w;
    *reinterpret_cast<float4*>(&c[j]) = four;
  }
}
