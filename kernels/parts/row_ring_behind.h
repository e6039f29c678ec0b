// Rows through a ring, and what is known of a row at its end is used one row later.
//
//     threads       | add up row 0 | add up row 1, write row 0 | add up row 2, write row 1 | ...
//     other blocks          | .... row 0 ...... |     | .... row 1 ...... |
//
// In row_ring.h a block of a cluster waits for the others' parts in every row. Where its share of a row is some 32 KB,
// that wait is as long as all else that the row takes. Here the row stays where it is in shared memory, the block adds
// up the next one, and the answers have come by then. A row is read from shared memory twice for it, and registers hold
// none between the two.
//
// Four rooms for parts are enough. A block tells its part of row r after it has written row r - 2, so all others have
// told theirs of row r - 2: none of them needs parts older than those of row r - 3.
//
// What is done with a row is an Op, as in row_ring.h but for
//
//     Part part(Vectors& x, const Place&, int row);              // of this thread's elements, as they are in memory
//     void finish(Vectors& x, const Place&, Part row, int row);  // given them once more
#pragma once

#include "row_ring.h"

template <class Op, int kThreads, int kVectors, int kStages, int kEach>
__global__ void __launch_bounds__(kThreads, kEach)
    row_ring_behind(typename Op::Arguments arguments, int rows, int columns) {
  using T = typename Op::Element;
  using Part = typename Op::Part;
  constexpr int kPiece = kThreads * kVectors, kRooms = 4;
  static_assert(kStages >= 3, "one comes, one is added up, one waits");
  extern __shared__ __align__(128) uint4 ring[];
  __shared__ Barrier landed[kStages], told[kRooms];
  __shared__ Part room[2][kThreads / 32], of_blocks[kRooms][kMostBlocks];

  const int thread = int(threadIdx.x), all = columns / kPerVector<T>;
  const int rank = int(cluster_rank()), blocks = int(cluster_size());
  const int share = (all + blocks - 1) / blocks, begin = min(rank * share, all);
  const Place place{int(blockIdx.x) / blocks, int(gridDim.x) / blocks, rows, columns, begin, thread, kThreads,
                    min(share, all - begin)};
  uint4* to = reinterpret_cast<uint4*>(arguments.out) + begin;

  auto fetch = [&](int row, int stage) {
    if (row >= rows) return;
    const unsigned bytes = unsigned(place.count) * 16;
    expect_bytes(&landed[stage], bytes * Op::kInputs);
    if (bytes == 0) return;
#pragma unroll
    for (int input = 0; input < Op::kInputs; ++input)
      copy_in(ring + (stage * Op::kInputs + input) * kPiece,
              reinterpret_cast<const uint4*>(arguments.in[input]) + size_t(row) * all + begin, bytes, &landed[stage]);
  };
  auto look = [&](float(&x)[Op::kInputs][kVectors][kPerVector<T>], int stage) {
#pragma unroll
    for (int input = 0; input < Op::kInputs; ++input)
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        const int i = thread + v * kThreads;
        const uint4 nothing = {0, 0, 0, 0};  // all Ops that come here are padded with 0
        unpack<T>(i < place.count ? ring[(stage * Op::kInputs + input) * kPiece + i] : nothing, x[input][v]);
      }
  };
  if (thread == 0) {
    for (Barrier& barrier : told) barrier_init(&barrier);
    for (int stage = 0; stage < kStages; ++stage) {
      barrier_init(&landed[stage]);
      fetch(place.team + stage * place.teams, stage);
    }
  }
  Op op(arguments, place);
  __syncthreads();
  cluster_barrier();  // all blocks run before one writes to another

  auto finish = [&](int row, int turn, int stage) {
    wait_for_cluster(&told[turn % kRooms], unsigned(turn / kRooms) % 2);
    const Part whole = of_room(of_blocks[turn % kRooms], blocks);
    float x[Op::kInputs][kVectors][kPerVector<T>];
    look(x, stage);
    op.finish(x, place, whole, row);
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const int i = thread + v * kThreads;
      if (i < place.count) store_once(&to[size_t(row) * all + i], pack<T>(x[0][v]));
    }
  };
  int turn = 0, stage = 0, round = 0, before = 0, free = 0;  // stages of this row, of the one before, of that before it
  for (int row = place.team; row < rows; row += place.teams, ++turn) {
    wait_for(&landed[stage], unsigned(round));
    float x[Op::kInputs][kVectors][kPerVector<T>];
    look(x, stage);
    const Part mine = of_warp(op.part(x, place, row));
    if (thread % 32 == 0) room[turn % 2][thread / 32] = mine;
    __syncthreads();  // all have told, and have written the row before the last
    if (thread < 32) {
      const Part whole = of_room(room[turn % 2], kThreads / 32);
      if (thread == 0) expect_bytes(&told[turn % kRooms], unsigned(blocks) * unsigned(sizeof(Part)));
      if (thread < blocks) tell(&of_blocks[turn % kRooms][rank], unsigned(thread), whole, &told[turn % kRooms]);
      if (thread == 0 && turn >= 2) fetch(row + (kStages - 2) * place.teams, free);
    }
    if (turn > 0) finish(row - place.teams, turn - 1, before);
    free = before, before = stage;
    if (++stage == kStages) stage = 0, round ^= 1;
  }
  if (turn > 0) finish(place.team + (turn - 1) * place.teams, turn - 1, before);
  op.end(arguments, place);
  cluster_barrier();  // none ends while others write to it
}

// How many teams there are. kEach blocks shall fit on an SM: one adds up while another waits or writes.
template <class Op, int kThreads, int kVectors, int kStages, int kEach = 1>
int run_ring_behind(typename Op::Arguments arguments, int rows, int columns, int cluster) {
  auto kernel = row_ring_behind<Op, kThreads, kVectors, kStages, kEach>;
  Launch how = persistent(kernel, kThreads, Op::kInputs * kThreads * kVectors * kStages * 16, cluster, rows);
  run(kernel, how, arguments, rows, columns);
  return how.blocks / how.cluster;
}
