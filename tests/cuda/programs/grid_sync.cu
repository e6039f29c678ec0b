// Blocks that wait for each other: a grid-wide barrier over every block that the device holds, a chain in which each
// block waits for the one before it (a warp together, as CUB's look-back does, and one thread alone), a lock.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

// Each round every block adds what its neighbour had at the end of the last.
__global__ void rounds(int* values, int count) {
  cg::grid_group grid = cg::this_grid();
  int blocks = static_cast<int>(gridDim.x), block = static_cast<int>(blockIdx.x);
  for (int round = 0; round < count; ++round) {
    int* from = values + (round & 1) * blocks;
    int* to = values + ((round + 1) & 1) * blocks;
    if (threadIdx.x == 0) to[block] = from[block] + from[(block + 1) % blocks];
    grid.sync();
  }
}

__global__ void chain(volatile int* done, int* sums, const int* data, bool warp_waits) {
  __shared__ int total, before;
  int block = static_cast<int>(gridDim.x - 1 - blockIdx.x);  // the last comes first: it must wait for later ones
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, data[block * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (warp_waits) {
    if (threadIdx.x < 32) {
      int ready;
      do ready = block == 0 || done[block - 1];
      while (!__all_sync(~0u, ready));
      __threadfence();
      if (threadIdx.x == 0) before = block == 0 ? 0 : sums[block - 1];
    }
  } else if (threadIdx.x == 0) {
    while (block != 0 && done[block - 1] == 0) {
    }
    __threadfence();
    before = block == 0 ? 0 : sums[block - 1];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[block] = before + total;
    __threadfence();
    done[block] = 1;
  }
}

__global__ void locked(int* lock, int* counter) {
  if (threadIdx.x == 0)
    while (atomicCAS(lock, 0, 1) != 0) {
    }
  __syncthreads();
  if (threadIdx.x == 0) {
    *counter += static_cast<int>(blockDim.x);
    __threadfence();
    atomicExch(lock, 0);
  }
}

int main() {
  int per_sm = 0, sms = 0, blocks, count = 4;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  constexpr int kThreads = 32, kShared = 48 << 10;  // few blocks fit, so that the plain interpreter can do it, too
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, rounds, kThreads, kShared);
  blocks = per_sm * sms;
  int* values = nullptr;
  cudaMallocManaged(&values, 2 * blocks * sizeof(int));
  for (int i = 0; i < blocks; ++i) values[i] = i;
  void* arguments[] = {&values, &count};
  printf("%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel(rounds, blocks, kThreads, arguments, kShared)));
  cudaDeviceSynchronize();
  // Four rounds: the binomial sum over a block and its four neighbours.
  const int weight[] = {1, 4, 6, 4, 1};
  int wrong = 0;
  for (int i = 0; i < blocks; ++i) {
    int expected = 0;
    for (int k = 0; k <= 4; ++k) expected += weight[k] * ((i + k) % blocks);
    wrong += values[i] != expected;
  }
  printf("%d of the blocks are wrong\n", wrong);
  printf("one block too many: %s\n", cudaGetErrorName(cudaLaunchCooperativeKernel(rounds, blocks + 1, kThreads, arguments, kShared)));

  constexpr int kChain = 4, kLinks = 64;
  int *done, *sums, *data;
  cudaMallocManaged(&done, kChain * sizeof(int));
  cudaMallocManaged(&sums, kChain * sizeof(int));
  cudaMallocManaged(&data, kChain * kLinks * sizeof(int));
  for (int i = 0; i < kChain * kLinks; ++i) data[i] = i % 7;
  long expected = 0;
  for (int i = 0; i < kChain * kLinks; ++i) expected += data[i];
  for (bool warp_waits : {true, false}) {
    cudaMemset(done, 0, kChain * sizeof(int));
    chain<<<kChain, kLinks>>>(done, sums, data, warp_waits);
    cudaDeviceSynchronize();
    printf("the chain's end is %s\n", sums[kChain - 1] == expected ? "right" : "wrong");
  }
  int* lock;
  cudaMallocManaged(&lock, 2 * sizeof(int));
  lock[0] = lock[1] = 0;
  locked<<<20, 64>>>(lock, lock + 1);
  cudaDeviceSynchronize();
  printf("counted %d\n", lock[1]);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
