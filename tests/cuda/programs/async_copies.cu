// Asynchronous copies and barriers with separate arrive and wait, by the primitives of the CUDA headers.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kThreads = 128, kTile = 256;

// Two tiles are under way while a third is added up.
__global__ void sum_tiles(const int* from, int tiles, int* sums) {
  alignas(16) __shared__ int buffer[2][kTile];
  auto fetch = [&](int tile) {
    if (tile < tiles)
      for (int i = threadIdx.x * 4; i < kTile; i += kThreads * 4)
        __pipeline_memcpy_async(&buffer[tile % 2][i], &from[tile * kTile + i], 16);
    __pipeline_commit();
  };
  int sum = 0;
  fetch(0);
  for (int tile = 0; tile < tiles; ++tile) {
    fetch(tile + 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += buffer[tile % 2][threadIdx.x] + buffer[tile % 2][(threadIdx.x + 1) % kTile + kThreads - 1];
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
}

// Warps pass a value round: each waits for the barrier before its own.
__global__ void relay(int* order) {
  __shared__ __mbarrier_t barriers[kThreads / 32];
  __shared__ int turn;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    turn = 0;
    for (__mbarrier_t& barrier : barriers) __mbarrier_init(&barrier, 32);
  }
  __syncthreads();
  if (warp > 0)
    while (!__mbarrier_test_wait_parity(&barriers[warp - 1], false)) {
    }
  if (threadIdx.x % 32 == 0) order[turn++] = warp;
  __syncwarp();
  __mbarrier_token_t token = __mbarrier_arrive(&barriers[warp]);
  while (!__mbarrier_test_wait(&barriers[warp], token)) {
  }
}

__global__ void together(const char* from, int bytes, char* to) {
  alignas(16) __shared__ char buffer[1024];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, from, bytes);
  cg::wait(block);
  for (int i = threadIdx.x; i < bytes; i += kThreads) to[i] = buffer[bytes - 1 - i];
}

int main() {
  constexpr int kTiles = 5;
  int *from, *sums;
  cudaMallocManaged(&from, kTiles * kTile * sizeof(int));
  cudaMallocManaged(&sums, kThreads * sizeof(int));
  for (int i = 0; i < kTiles * kTile; ++i) from[i] = i;
  sum_tiles<<<1, kThreads>>>(from, kTiles, sums);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int t = 0; t < kThreads; ++t) {
    int expected = 0;
    for (int tile = 0; tile < kTiles; ++tile) expected += 2 * tile * kTile + t + (t + 1) % kTile + kThreads - 1;
    wrong += sums[t] != expected;
  }
  printf("tiles: %d sums are wrong\n", wrong);

  relay<<<1, kThreads>>>(sums);
  cudaDeviceSynchronize();
  printf("relay: %d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);

  char* text = reinterpret_cast<char*>(from);
  for (int i = 0; i < 1003; ++i) text[i] = static_cast<char>(i * 7);
  for (int bytes : {1000, 1003, 6, 0}) {
    together<<<1, kThreads>>>(text, bytes, reinterpret_cast<char*>(from) + 2048);
    cudaDeviceSynchronize();
    wrong = 0;
    for (int i = 0; i < bytes; ++i) wrong += text[2048 + i] != text[bytes - 1 - i];
    printf("together: of %d bytes %d are wrong\n", bytes, wrong);
  }
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
