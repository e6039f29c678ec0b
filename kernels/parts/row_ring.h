// Rows through a ring: blocks that stay, and bulk copies that bring the next rows while a block works on this one.
//
//     copy engine   | row 0 | row 1 | row 2 | row 3 ...                 into a ring of kStages rows in shared memory
//     threads               | 0: registers, reduce, write | 1: ...
//
// A row leaves shared memory for registers at once. The barrier of the reduction tells that all threads have read it;
// then its place in the ring takes the next row. So kStages rows per block are nearly always in flight, whatever the
// threads do, and no other barrier is needed.
//
// A row that is too long for a block is shared by a cluster: each block takes a share, tells the others its part of the
// result (exchange.h), and waits for theirs. No block is more than a row ahead of another, since it has told that row's
// part only after it had seen all of the row before; so two rooms for the parts do.
//
// What is done with a row is an Op:
//
//     struct Op {
//       using Element = float;                        // or __nv_bfloat16
//       using Part = ...;                             // what is combined over the row; of_warp(Part) combines
//       static constexpr int kInputs = 1;             // matrices that are read, row by row
//       static constexpr float kPadding = 0;          // elements beyond the end of the row
//       struct Arguments { const float* in[kInputs]; float* out; ... };
//       Op(const Arguments&, const Place&);           // once per thread: weights into registers
//       Part part(Vectors& x, const Place&, int row);  // of this thread's elements, x[input][vector][i]
//       void finish(Vectors& x, const Place&, Part mine, Part whole);  // x[0] becomes what is written
//       void end(const Arguments&, const Place&);     // after the last row
//     };
#pragma once

#include "block_combine.h"
#include "exchange.h"
#include "launch.h"
#include "vectors.h"

constexpr int kMostBlocks = 16;  // of a cluster

// Which rows a block has: team, team + teams, … below `rows`. And which vectors of them its thread has: first,
// first + stride, … below `count`, of the block's share, which begins at vector `begin` of the row.
struct Place {
  int team, teams, rows, columns;
  int begin, first, stride, count;
};

template <class Op, int kThreads, int kVectors, int kStages, int kEach, bool kCluster>
__global__ void __launch_bounds__(kThreads, kEach) row_ring(typename Op::Arguments arguments, int rows, int columns) {
  using T = typename Op::Element;
  using Part = typename Op::Part;
  constexpr int kPiece = kThreads * kVectors;  // vectors of a block's share of a row
  extern __shared__ __align__(128) uint4 ring[];
  __shared__ Barrier landed[kStages], told[2];
  __shared__ Part room[2][kThreads / 32], of_blocks[2][kCluster ? kMostBlocks : 1];

  int thread = int(threadIdx.x), all = columns / kPerVector<T>;
  int rank = kCluster ? int(cluster_rank()) : 0, blocks = kCluster ? int(cluster_size()) : 1;
  int share = (all + blocks - 1) / blocks, begin = min(rank * share, all);
  Place place{int(blockIdx.x) / blocks, int(gridDim.x) / blocks, rows, columns, begin, thread, kThreads,
              min(share, all - begin)};
  uint4* to = reinterpret_cast<uint4*>(arguments.out) + begin;
  auto piece_of = [&](int stage, int input) { return ring + (stage * Op::kInputs + input) * kPiece; };

  auto fetch = [&](int row, int stage) {
    if (row >= rows) return;
    unsigned bytes = unsigned(place.count) * 16;
    expect_bytes(&landed[stage], bytes * Op::kInputs);
    if (bytes == 0) return;
#pragma unroll
    for (int input = 0; input < Op::kInputs; ++input) {
      const uint4* from = reinterpret_cast<const uint4*>(arguments.in[input]) + size_t(row) * all + begin;
      copy_in(piece_of(stage, input), from, bytes, &landed[stage]);
    }
  };
  if (thread == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      barrier_init(&landed[stage]);
      fetch(place.team + stage * place.teams, stage);
    }
  }
  if (kCluster && thread == 0) barrier_init(&told[0]), barrier_init(&told[1]);
  Op op(arguments, place);
  __syncthreads();
  if constexpr (kCluster) cluster_barrier();  // all blocks run before one writes to another

  int stage = 0, round = 0;
  unsigned told_round = 0;
  for (int row = place.team, turn = 0; row < rows; row += place.teams, turn ^= 1) {
    wait_for(&landed[stage], unsigned(round));
    float x[Op::kInputs][kVectors][kPerVector<T>];
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      int i = thread + v * kThreads;
#pragma unroll
      for (int input = 0; input < Op::kInputs; ++input) {
        if (i < place.count) {
          unpack<T>(piece_of(stage, input)[i], x[input][v]);
        } else {
#pragma unroll
          for (float& element : x[input][v]) element = Op::kPadding;
        }
      }
    }
    Part mine = op.part(x, place, row), whole = of_block(mine, room[turn]);
    if (thread == 0) fetch(row + kStages * place.teams, stage);
    if constexpr (kCluster) {
      if (thread == 0) expect_bytes(&told[turn], unsigned(blocks) * unsigned(sizeof(Part)));
      if (thread < blocks) tell(&of_blocks[turn][rank], unsigned(thread), whole, &told[turn]);
      wait_for_cluster(&told[turn], told_round);
      told_round ^= unsigned(turn);
      whole = of_room(of_blocks[turn], blocks);
    }
    op.finish(x, place, mine, whole);
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      int i = thread + v * kThreads;
      if (i < place.count) store_once(&to[size_t(row) * all + i], pack<T>(x[0][v]));
    }
    if (++stage == kStages) stage = 0, round ^= 1;
  }
  op.end(arguments, place);
  if constexpr (kCluster) cluster_barrier();  // none ends while others write to it
}

// Both return how many teams there are: blocks, or clusters of them. kEach blocks shall fit on an SM.
template <class Op, int kThreads, int kVectors, int kStages, int kEach = 1>
int run_ring(typename Op::Arguments arguments, int rows, int columns, int most_teams = 1 << 30) {
  auto kernel = row_ring<Op, kThreads, kVectors, kStages, kEach, false>;
  Launch how = persistent(kernel, kThreads, Op::kInputs * kThreads * kVectors * kStages * 16, 1,
                          rows < most_teams ? rows : most_teams);
  run(kernel, how, arguments, rows, columns);
  return how.blocks / how.cluster;
}

template <class Op, int kThreads, int kVectors, int kStages, int kEach = 1>
int run_ring_of_clusters(typename Op::Arguments arguments, int rows, int columns, int cluster) {
  auto kernel = row_ring<Op, kThreads, kVectors, kStages, kEach, true>;
  Launch how = persistent(kernel, kThreads, Op::kInputs * kThreads * kVectors * kStages * 16, cluster, rows);
  run(kernel, how, arguments, rows, columns);
  return how.blocks / how.cluster;
}
