// Step 7: sums of points by tensor cores, and near ties row by row (sm_90a).
//
// Behind find_shares, step 6 takes 0.20 ms, and issues 830 instructions for 16 points. So here
//
//     sums       are products of points by ones and zeros, which say whose a point is (product_sums.cuh), in double
//                precision. They stay in registers until a share ends
//     near ties  are noted row by row, so that all rows of a warp are compared at once (settle_rows.cuh); and fewer
//                points are near one, since a bound by the distance from the point takes the place of one by the
//                longest centre (ScoreBounds::doubt_at, in prepared.cuh, which step 6 uses, too)
//     runs       of at most 256 points of a share go to whichever warp has time (share_runs.cuh)
//
// Expected: reading the points once more, 0.07 ms, and 0.03 for near ties. Found (H200), of 2^20 points, 64 dimensions
// and 1,024 clusters, in the same run: 0.14 ms instead of 0.20, and an iteration in 0.40 instead of 0.46. With few
// clusters the gain is larger: 2^22 points of 16 dimensions and 64 clusters take 0.55 ms instead of 1.51.
//
// Registers that do not suffice cost more than anything else: shared memory leaves the L1 cache 28 KiB, so what 512
// threads spill goes to the L2 cache. With 80 words loaded back, add_products took 0.23 ms instead of 0.17.
#include "find_shares.cuh"
#include "settle_rows.cuh"
#include "share_runs.cuh"

struct SettleMemory {
  Centres centres;
  RowCandidates candidates[kWarps];
  SettlingRows settling[kWarpgroups];
};

struct Memory {
  union {
    SettleMemory settle;
    Units units;
  };
  unsigned short found[kRound];  // of each point of the block
  SortedPoints points;           // before they are sorted, those near a tie
  int near_count;
  Barrier landed;
};
static_assert(sizeof(Memory) <= 227 << 10);

// What find_shares left, and the list of points near a tie. By all threads.
__device__ inline void take_found(Memory& memory, const int* labels, int total) {
  int left[kAhead];
#pragma unroll
  for (int i = 0; i < kAhead; ++i) {
    const int point = threadIdx.x + i * kBlockThreads;
    left[i] = point < total ? labels[point] : 0;
  }
#pragma unroll
  for (int i = 0; i < kAhead; ++i) {
    const int point = threadIdx.x + i * kBlockThreads;
    if (point >= total) break;
    memory.found[point] = found_of(left[i]);
    if (is_near(found_of(left[i])))
      memory.points.sorted[atomicAdd(&memory.near_count, 1)] = static_cast<unsigned short>(point);
  }
  __syncthreads();
}

// By all warpgroups: the points near a tie, kTile at a time. The last parts may be for some warpgroups alone; these
// have the block to themselves, and are twice as fast.
template <int kDepth>
__device__ inline void settle_all(const Problem& p, const float* centres, Memory& memory, int warpgroup, int base) {
  SettlingRows& mine = memory.settle.settling[warpgroup];
  const int thread = threadIdx.x % kGroupThreads;
#pragma unroll 1
  for (int from = warpgroup * kTile; from < memory.near_count; from += kWarpgroups * kTile) {
    const int count = min(kTile, memory.near_count - from);
    const unsigned short* list = memory.points.sorted + from;
    settle_rows<kDepth>(p, centres, memory.settle.centres, memory.settle.candidates[threadIdx.x / 32], mine, warpgroup,
                        base, list, count, [&](int i) { return limit_of(memory.found[list[i]]); });
    if (thread < count)
      memory.found[list[thread]] = static_cast<unsigned short>(kSettled | mine.nearest.labels[thread]);
  }
}

// Labels, from what find_shares left in their place, and sums. A block has at most kRound points.
template <int kDepth>
__global__ void __launch_bounds__(kBlockThreads, 1) add_products(Problem p, const float* centres, Answer answer) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  const int warpgroup = __shfl_sync(~0u, int(threadIdx.x) / kGroupThreads, 0);
  const int base = int(size_t(blockIdx.x) * p.points / gridDim.x);
  const int total = int(size_t(blockIdx.x + 1) * p.points / gridDim.x) - base;
  copy_halves(p, memory.settle.centres.halves, &memory.landed);
  const ScoreBounds bounds;
  for (int i = threadIdx.x; i < rows_of(p); i += kBlockThreads)
    memory.settle.centres.start_of(i) = prepared.starts[i] + (i < p.clusters ? bounds.lift() : 0.0f);
  for (int i = threadIdx.x; i < kShares; i += kBlockThreads) memory.points.counts[i] = 0;
  if (threadIdx.x == 0) memory.near_count = 0;
  __syncthreads();
  take_found(memory, answer.labels + base, total);
  wait_for(&memory.landed, 0);
  settle_all<kDepth>(p, centres, memory, warpgroup, base);
  __syncthreads();
  sort_points(memory.points, memory.found, total);
  Sums<kDepth>{p, centres, memory.points, memory.units, memory.found, bounds, answer, base, prepared.scale}.add_runs();
  put_labels(answer, memory.points, memory.found, base, total, [](int left) { return before_of(left); });
}

extern "C" void iterate(const float* coordinates, float* centres, int* labels, double* sums, int* counts, int* changed,
                        int points, int dimensions, int clusters) {
  const Problem p{coordinates, points, dimensions, clusters};
  const Answer answer{labels, sums, counts, changed};
  at_depth(dimensions, [&](auto depth) {
    find_and_add<depth.value>(p, centres, answer, add_products<depth.value>, kRound, sizeof(Memory));
  });
}
