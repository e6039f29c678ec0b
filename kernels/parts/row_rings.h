// Rows through a ring for each warp: a row waits in shared memory until all of it is known, and is written while the
// next one comes.
//
//     copy engine   | brings piece p + 7 | brings piece p + 8 | ...
//     a warp        | writes piece p - 6, adds up piece p | writes piece p - 5, adds up piece p + 1 | ...
//
// A block's share of a row comes in kPieces pieces, and each warp has a part of every piece: its own ring of kSlots
// places in shared memory, its own bulk copies and barriers. It adds up its part as soon as that has landed, and leaves
// it where it is, in the type that it has in memory. After the row's last piece it tells all warps of the cluster what
// it knows of the row (exchange.h). kLate pieces later their answers have come, and the row is written, a piece of it
// for each piece of the next row that is added up. So reads and writes go on evenly and at the same time, no warp waits
// for another but for answers that came a while ago, and no barrier holds a block. In row_ring.h and row_ring_behind.h
// all threads of a block meet in each row.
//
// Shared memory holds a row, kLate pieces and what is on its way. In registers are weights and the vectors in work.
//
// Rooms for what warps tell: with e = 1 + kLate in rows, rounded up, a warp tells its part of row r after it has used
// the parts of row r - e. So all warps have told theirs of row r - e, and had used those of row r - 2e. Rooms for 2e
// rows do.
//
// A place of the ring is asked for again after its values have left for memory, not when they have been asked for: on
// an H200, a load from shared memory that waits behind stores was overtaken by the next bulk copy to its place.
//
// Floats are written by the copy engine, since stores that wait hold back the loads behind them (layer norm of rows of
// 262,144 on an H200: 553 us, and 604 with stores of threads). With bfloat16 a warp has half the time for a piece, and
// stores of threads are faster (softmax of rows of 65,536: 278 us, and 310 by the copy engine).
//
// What is done with a row is an Op:
//
//     struct Op {
//       using Element = float;                       // or __nv_bfloat16
//       using State = ...;                           // what a thread adds up in
//       using Part = ...;                            // what a warp tells of a row
//       using Whole = ...;                           // what a thread keeps of it
//       using Vectors = float[kVectors][kPerVector<Element>];
//       static constexpr bool kUnrolled = true;      // `piece` below shall be a constant, for weights in registers
//       static constexpr float kPadding = 0;         // elements beyond the end of the row
//       struct Arguments { const float* in[1]; float* out; ... };
//       Op(const Arguments&, const Pieces&);         // once per thread
//       State nothing();
//       void add(State&, const Vectors&, int piece, int valid);   // valid: how many vectors are not padding
//       Part part(State);                                         // the same in all lanes
//       Whole whole<kParts>(const Part* parts, int columns);
//       void finish(Vectors&, const Whole&, int piece);           // makes of them what is written
//     };
#pragma once

#include "block_combine.h"
#include "exchange.h"
#include "launch.h"
#include "roles.h"
#include "vectors.h"

// Which vectors of a row a thread has: vector(piece, v), if it is below `end`.
template <int kVectors>
struct Pieces {
  int begin, step, end;

  __device__ __forceinline__ int of_warp(int piece) const { return begin + piece * step; }
  __device__ __forceinline__ int count(int piece) const {  // vectors of the warp
    return max(min(end - of_warp(piece), 32 * kVectors), 0);
  }
  __device__ __forceinline__ int vector(int piece, int v) const {
    return of_warp(piece) + v * 32 + int(threadIdx.x) % 32;
  }
};

template <class Op, int kBlocks, int kWarps, int kVectors, int kPieces, int kSlots, int kLate>
__global__ void __launch_bounds__(kWarps * 32, 1)
    rows_through_rings(typename Op::Arguments arguments, int rows, int columns) {
  using T = typename Op::Element;
  using Part = typename Op::Part;
  constexpr int kPiece = 32 * kVectors, kParts = kBlocks * kWarps, kRooms = 2 * (1 + kLate / kPieces);
  constexpr bool kByEngine = sizeof(T) == 4;
  static_assert(kSlots > kPieces + kLate + kByEngine, "a row waits, and something comes");
  extern __shared__ __align__(128) uint4 rings[];
  __shared__ Barrier landed[kWarps][kSlots], told[kRooms];
  __shared__ Part parts[kRooms][kParts];

  const int warp = int(threadIdx.x) / 32, lane = int(threadIdx.x) % 32, all = columns / kPerVector<T>;
  const int rank = kBlocks > 1 ? int(cluster_rank()) : 0;
  const Pieces<kVectors> mine{(rank * kWarps + warp) * kPiece, kParts * kPiece, all};
  const int team = int(blockIdx.x) / kBlocks, teams = int(gridDim.x) / kBlocks;
  const int turns = team < rows ? (rows - team + teams - 1) / teams : 0;
  uint4* const ring = rings + warp * (kSlots * kPiece);
  Barrier* const arrived = landed[warp];
  auto row_of = [&](int turn) { return (size_t(team) + size_t(turn) * size_t(teams)) * size_t(all); };

  auto fetch = [&](int turn, int piece, int slot) {  // one lane
    if (turn >= turns) return;
    const unsigned bytes = unsigned(mine.count(piece)) * 16;
    expect_bytes(&arrived[slot], bytes);
    if (bytes == 0) return;
    copy_in(ring + slot * kPiece,
            reinterpret_cast<const uint4*>(arguments.in[0]) + row_of(turn) + size_t(mine.of_warp(piece)), bytes,
            &arrived[slot]);
  };
  auto look = [&](typename Op::Vectors& x, int slot, int piece) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      if (mine.vector(piece, v) < mine.end) {
        unpack<T>(ring[slot * kPiece + v * 32 + lane], x[v]);
      } else {
#pragma unroll
        for (float& element : x[v]) element = Op::kPadding;
      }
    }
  };
  if (lane == 0) {
    for (int slot = 0; slot < kSlots; ++slot) {
      barrier_init(&arrived[slot]);
      fetch(slot / kPieces, slot % kPieces, slot);
    }
  }
  if (threadIdx.x == 0)
    for (Barrier& barrier : told) barrier_init(&barrier, kBlocks > 1 ? 1 : kWarps);
  Op op(arguments, mine);
  __syncthreads();
  if constexpr (kBlocks > 1) cluster_barrier();  // all blocks run before one writes to another

  typename Op::State state = op.nothing();
  typename Op::Whole whole = {};
  int slot_in = 0, slot_out = 0;
  unsigned round_in = 0;

  auto tell_all = [&](const Part& part, int turn) {
    const int room = turn % kRooms;
    if constexpr (kBlocks > 1) {
      if (threadIdx.x == 0) expect_bytes(&told[room], unsigned(kParts * sizeof(Part)));
      if (lane < kBlocks) tell(&parts[room][rank * kWarps + warp], unsigned(lane), part, &told[room]);
    } else if (lane == 0) {  // a launch without clusters has no asynchronous stores
      parts[room][warp] = part;
      arrive(&told[room]);
    }
  };
  auto add_up = [&](int turn, int piece) {
    wait_for(&arrived[slot_in], round_in);
    typename Op::Vectors x;
    look(x, slot_in, piece);
    op.add(state, x, piece, (mine.end - mine.of_warp(piece) - lane + 31) / 32);
    if (piece == kPieces - 1) {
      tell_all(op.part(state), turn);
      state = op.nothing();
    }
    if (++slot_in == kSlots) slot_in = 0, round_in ^= 1;
  };
  auto write = [&](int turn, int piece) {
    if (piece == 0) {
      const int room = turn % kRooms;
      wait_for_cluster(&told[room], unsigned(turn / kRooms) % 2);
      whole = op.template whole<kParts>(parts[room], columns);
    }
    typename Op::Vectors x;
    look(x, slot_out, piece);
    op.finish(x, whole, piece);
    uint4* const to = reinterpret_cast<uint4*>(arguments.out) + row_of(turn);
    if constexpr (kByEngine) {
#pragma unroll
      for (int v = 0; v < kVectors; ++v) ring[slot_out * kPiece + v * 32 + lane] = pack<T>(x[v]);
      show_to_copy_engine();
      __syncwarp();
      if (lane == 0) {
        if (mine.count(piece) > 0)
          copy_out(to + mine.of_warp(piece), ring + slot_out * kPiece, unsigned(mine.count(piece)) * 16);
        end_copies_out();
        wait_until_read<1>();
        const int next = piece - 1 + kSlots;  // takes the place of the piece before
        if (turn + piece > 0) fetch(turn + next / kPieces, next % kPieces, (slot_out ? slot_out : kSlots) - 1);
      }
    } else {
#pragma unroll
      for (int v = 0; v < kVectors; ++v)
        if (mine.vector(piece, v) < mine.end) store_once(&to[mine.vector(piece, v)], pack<T>(x[v]));
      __syncwarp();
      const int next = piece + kSlots;
      if (lane == 0) fetch(turn + next / kPieces, next % kPieces, slot_out);
    }
    if (++slot_out == kSlots) slot_out = 0;
  };

  constexpr int kUnroll = Op::kUnrolled ? kPieces : 1;
  for (int turn = 0; turn <= turns + (kLate + kPieces - 1) / kPieces; ++turn) {
#pragma unroll kUnroll
    for (int piece = 0; piece < kPieces; ++piece) {
      // What is written has been added up kPieces + kLate pieces ago.
      const int rows_late = (kLate + kPieces - 1 - piece) / kPieces, before = turn - 1 - rows_late;
      if (before >= 0 && before < turns) write(before, piece - kLate + rows_late * kPieces);
      if (turn < turns) add_up(turn, piece);
    }
  }
  if (kByEngine && lane == 0) wait_until_read();  // shared memory stays as long
  if constexpr (kBlocks > 1) cluster_barrier();   // none ends while others write to it
}

// As many teams of kBlocks blocks as run at once, or fewer, so that all have as many rows but for one.
template <class Op, int kBlocks, int kWarps, int kVectors, int kPieces, int kSlots, int kLate>
void run_through_rings(typename Op::Arguments arguments, int rows, int columns) {
  auto kernel = rows_through_rings<Op, kBlocks, kWarps, kVectors, kPieces, kSlots, kLate>;
  Launch how = persistent(kernel, kWarps * 32, kWarps * kSlots * kVectors * 512, kBlocks, rows);
  const int most = how.blocks / kBlocks, turns = (rows + most - 1) / most;
  how.blocks = (rows + turns - 1) / turns * kBlocks;
  run(kernel, how, arguments, rows, columns);
}

// The elements of a row that kBlocks blocks hold.
template <class T, int kBlocks, int kWarps, int kVectors, int kPieces>
constexpr int kHeldByRings = kBlocks * kWarps * kVectors * kPieces * 32 * kPerVector<T>;
