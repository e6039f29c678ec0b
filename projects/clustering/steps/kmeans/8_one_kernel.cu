// Step 8: an iteration in one kernel (sm_90a).
//
// In step 7 all blocks wait for the last one to find its shares, read the centres again, and take what was found out of
// memory. Here a block keeps its points, up to 8,064 of them, to the end:
//
//     find     shares, which stay in shared memory
//     settle   the block's points near a tie, all warpgroups together (settle_block.cuh)
//     add up   as in step 7 (share_runs.cuh). The rows that were read last are still in the L2 cache
//
// It begins while the centres are being prepared, and reads its first tiles meanwhile; the kernel that moves the
// centres begins before this one ends (behind.cuh).
//
// Expected: 0.02 ms less for what the two kernels of step 7 did twice or waited for, and 0.02 for points near a tie.
// Found (H200), of 2^20 points, 64 dimensions and 1,024 clusters, in the same run: an iteration in 0.355 ms instead of
// 0.392, and in 0.341 instead of 0.353 since runs are taken by their length and fewer points are near a tie. By the
// clock of a block, from when the centres are prepared: 0.001 ms to bring them, 0.221 for shares, 0.017 for points near
// a tie, 0.003 to sort, 0.078 for sums and labels. The first blocks end after 0.319 ms, half of them after 0.326, the
// last ones after 0.334.
#include "behind.cuh"
#include "scores.cuh"
#include "settle_block.cuh"
#include "share_runs.cuh"
#include "tiles.cuh"

struct FindMemory {
  uint4 halves[kMostCentres * Centres::kPieces];
  Starts starts;
  union {
    struct {
      float tiles[kWarpgroups][kTile * 64];  // the points that come next, a row after the other
      float2 lengths[kWarpgroups][kTile];    // of points, and of what rounding took
    };
    SettleMemory settle;
  };
};

struct AddMemory {
  Units units;
  SortedPoints points;
};

struct Memory {
  union {
    FindMemory find;
    AddMemory add;
  };
  unsigned short found[kRound];  // of each point of the block
  Barrier landed[kWarpgroups], centres_landed;
};
static_assert(sizeof(Memory) <= (227 << 10) - 1024);  // there is a little besides

// By a warpgroup: of its tiles, what is known of each point (shares.cuh). `found` is of the points from `base` on. The
// centres may come while the first tile is read.
template <int kDepth>
__device__ __forceinline__ void find_shares(const Problem& p, FindMemory& memory, Tiles& tiles,
                                            const ScoreBounds& bounds, const unsigned (&factors)[4], int warpgroup,
                                            Barrier* centres_landed, unsigned short* found, int base) {
  const int thread = int(threadIdx.x % kGroupThreads), lane = lane_of_thread();
#pragma unroll 1
  for (; tiles.first < tiles.end; tiles.first += tiles.step) {
    Points<kDepth> points;
    tiles.read(points, prepared.scale);
    for (int r = 0; r < kRows; ++r)
      if (lane % 4 == 0) memory.lengths[warpgroup][row_of(r)] = {points.length[r], points.off[r]};
    meet(1 + warpgroup);  // the tile is in registers
    if (thread == 0) tiles.ask(tiles.first + tiles.step);
    wait_for(centres_landed, 0);
    Best best[kRows];
#pragma unroll 1
    for (int first = 0; first < p.clusters; first += kColumns) {
      Products scores;
      begin_scores(points, factors, memory.halves, memory.starts, first, scores);
      wait_for_sums(scores);
      meet_scores(scores, first, best);
    }
    for (int r = 0; r < kRows; ++r) {
      best[r].combine_quad();
      const int point = tiles.first + row_of(r);
      const float2 length = memory.lengths[warpgroup][row_of(r)];
      const float doubt = bounds.doubt_of_lifted(length.x, length.y, __int_as_float(best[r].score & ~(kShares - 1)));
      if (lane % 4 == 0 && point < p.points) found[point - base] = best[r].found(doubt);
    }
  }
}

template <int kDepth>
__global__ void __launch_bounds__(kBlockThreads, 1) one_kernel(Problem p, const float* centres, Answer answer) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  const int warpgroup = __shfl_sync(~0u, int(threadIdx.x) / kGroupThreads, 0);
  const int lane = lane_of_thread();
  const int all_tiles = (p.points + kTile - 1) / kTile;
  const int base = int(size_t(blockIdx.x) * all_tiles / gridDim.x) * kTile;
  const int end = min(int(size_t(blockIdx.x + 1) * all_tiles / gridDim.x) * kTile, p.points), total = end - base;
  {
    Tiles tiles{
        p, memory.find.tiles[warpgroup], &memory.landed[warpgroup], base + warpgroup * kTile, kWarpgroups * kTile, end};
    if (threadIdx.x % kGroupThreads == 0) {
      barrier_init(&memory.landed[warpgroup]);
      tiles.ask(tiles.first);
    }
    wait_for_kernel_before();
    copy_halves(p, memory.find.halves, &memory.centres_landed);
    constexpr int kOfThread = kMostCentres / kBlockThreads;
    float starts[kOfThread];  // on their way while the bounds are
    for (int i = 0; i < kOfThread; ++i) starts[i] = prepared.starts[threadIdx.x + i * kBlockThreads];
    const ScoreBounds bounds;
    for (int i = 0; i < kOfThread; ++i) {
      const int row = threadIdx.x + i * kBlockThreads;
      memory.find.starts.put(row, row < p.clusters ? starts[i] + bounds.lift() : -65504 * Starts::kFactor);
    }
    show_to_copy_engine();  // and to the tensor core
    __syncthreads();
    const unsigned factor = lane % 4 == 0 ? Starts::kFactorTwice : 0;
    const unsigned factors[4] = {factor, factor, 0, 0};
    find_shares<kDepth>(p, memory.find, tiles, bounds, factors, warpgroup, &memory.centres_landed, memory.found, base);
    Settle<kDepth>{p,    centres, memory.find.settle, memory.find.halves, memory.find.starts, factors, memory.found,
                   base, total}
        .run();
  }
  __syncthreads();
  let_kernel_behind_begin();
  for (int i = threadIdx.x; i < kShares; i += kBlockThreads) memory.add.points.counts[i] = 0;
  __syncthreads();
  sort_points(memory.add.points, memory.found, total);
  {
    const ScoreBounds bounds;
    Sums<kDepth>{p, centres, memory.add.points, memory.add.units, memory.found, bounds, answer, base, prepared.scale}
        .add_runs();
  }
  put_labels(answer, memory.add.points, memory.found, base, total, [](int left) { return left; });
}

template <int kDepth>
void launch(const Problem& p, float* centres, const Answer& answer) {
  prepare<<<kFinders, kBlockThreads>>>(p, centres, answer);
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  auto* kernel = one_kernel<kDepth>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Memory)));
  const int tiles = (p.points + kTile - 1) / kTile, fours = (tiles + kWarpgroups - 1) / kWarpgroups;
  const int of_round = kRound / kTile * multiprocessors;
  const int rounds = (tiles + of_round - 1) / of_round;
  launch_behind(kernel, min(fours, rounds * multiprocessors), kBlockThreads, sizeof(Memory), p,
                static_cast<const float*>(centres), answer);
  launch_behind(move_kernel, blocks_of_centres(p), kThreads, 0, p, static_cast<const double*>(answer.sums),
                static_cast<const int*>(answer.counts), centres);
}

extern "C" void iterate(const float* coordinates, float* centres, int* labels, double* sums, int* counts, int* changed,
                        int points, int dimensions, int clusters) {
  const Problem p{coordinates, points, dimensions, clusters};
  const Answer answer{labels, sums, counts, changed};
  at_depth(dimensions, [&](auto depth) { launch<depth.value>(p, centres, answer); });
}
