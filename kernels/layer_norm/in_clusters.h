// Layer norm and RMS norm of rows in the registers of a cluster. Weights are asked for while the blocks wait for each
// other's parts (../parts/exchange.h). `Op` is what ../parts/row_ring.h takes.
#pragma once

#include "../parts/row_registers.h"
#include "../parts/row_ring.h"

template <class Op, int kVectors, int kThreads>
__global__ void __launch_bounds__(kThreads) norm_by_cluster(typename Op::Arguments arguments, int rows, int columns) {
  using T = typename Op::Element;
  using Part = typename Op::Part;
  __shared__ Part room[kThreads / 32], of_blocks[kMostBlocks];
  __shared__ Barrier told;
  int thread = int(threadIdx.x), rank = int(cluster_rank()), blocks = int(cluster_size());
  if (thread == 0) barrier_init(&told), expect_bytes(&told, unsigned(blocks) * unsigned(sizeof(Part)));
  __syncthreads();
  cluster_arrive();
  int all = columns / kPerVector<T>, share = (all + blocks - 1) / blocks, begin = min(rank * share, all);
  int row = int(blockIdx.x) / blocks;
  Place place{row, rows, rows, columns, begin, thread, kThreads, min(share, all - begin)};
  size_t start = size_t(row) * all + begin;
  float x[1][kVectors][kPerVector<T>];
  load_row<T>(x[0], reinterpret_cast<const uint4*>(arguments.in[0]) + start, thread, kThreads, place.count, 0);
  Part whole = of_block(Op::part_of(x[0], place), room);
  cluster_wait();
  if (thread < blocks) tell(&of_blocks[rank], unsigned(thread), whole, &told);
  Op op(arguments, place);
  wait_for_cluster(&told, 0);
  whole = of_room(of_blocks, blocks);
  op.finish(x, place, whole, whole);
  store_row<T>(reinterpret_cast<uint4*>(arguments.out) + start, x[0], thread, kThreads, place.count);
}

// As many blocks as hold a row, a power of two.
template <class Op, int kVectors, int kThreads>
void norm_in_clusters(typename Op::Arguments arguments, int rows, int columns) {
  int count = columns / kPerVector<typename Op::Element>, cluster = 2;
  while (cluster * kThreads * kVectors < count) cluster *= 2;
  auto kernel = norm_by_cluster<Op, kVectors, kThreads>;
  if (cluster > 8) must(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "cluster");
  run(kernel, {rows * cluster, kThreads, 0, cluster}, arguments, rows, columns);
}
