// Softmax of rows that fit in the registers of a cluster: as in_registers.h, and the blocks tell each other their
// parts.
#pragma once

#include "../parts/exchange.h"
#include "../parts/launch.h"
#include "../parts/row_registers.h"
#include "row.h"

template <class T, int kVectors, int kThreads, int kEach>
__global__ void __launch_bounds__(kThreads, kEach) softmax_by_cluster(const T* in, T* out, int columns) {
  __shared__ SoftmaxPart room[kThreads / 32], of_blocks[16];
  __shared__ Barrier told;
  int thread = int(threadIdx.x), rank = int(cluster_rank()), blocks = int(cluster_size());
  if (thread == 0) {
    barrier_init(&told);
    expect_bytes(&told, unsigned(blocks) * unsigned(sizeof(SoftmaxPart)));
  }
  __syncthreads();
  cluster_arrive();
  int all = columns / kPerVector<T>, share = (all + blocks - 1) / blocks, begin = min(rank * share, all);
  int count = min(share, all - begin);
  size_t start = size_t(blockIdx.x / unsigned(blocks)) * all + begin;
  float x[kVectors][kPerVector<T>];
  load_row<T>(x, reinterpret_cast<const uint4*>(in) + start, thread, kThreads, count, -INFINITY);
  SoftmaxPart mine = exponentials(x), whole = of_block(mine, room);
  cluster_wait();
  if (thread < blocks) tell(&of_blocks[rank], unsigned(thread), whole, &told);
  wait_for_cluster(&told, 0);
  whole = of_room(of_blocks, blocks);
  scale(x, factor(mine, whole));
  store_row<T>(reinterpret_cast<uint4*>(out) + start, x, thread, kThreads, count);
}

// As many blocks as hold a row, a power of two.
template <class T, int kVectors, int kThreads, int kEach>
void softmax_in_clusters(const T* in, T* out, int rows, int columns) {
  int count = columns / kPerVector<T>, cluster = 2;
  while (cluster * kThreads * kVectors < count) cluster *= 2;
  auto kernel = softmax_by_cluster<T, kVectors, kThreads, kEach>;
  if (cluster > 8) must(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cluster");
  run(kernel, {rows * cluster, kThreads, 0, cluster}, in, out, columns);
}
