// Step 6: whole scores from the tensor core, and points sorted before they are added up (sm_90a).
//
// Three things hold step 5 back. Scores wait for starts: reading them from shared memory takes as much of it as the
// product does. The best centre of a share is found tile by tile, each step of that waiting for the one before. And
// 2^26 atomic additions of doubles take the L2 cache 0.24 ms. So here
//
//     find_shares     a start is one more factor of the product, the largest of three scores one instruction
//                     (find_shares.cuh); of each point only the share is kept that has the largest
//     add_by_shares   a block multiplies points near a tie once more (settle.cuh), sorts its 8,000 points by shares,
//                     and takes those of a share together: the best centre, and sums of which only the last, of some
//                     eight points each, are atomic (sorted_sums.cuh)
//
// Expected: 0.14 ms for products and 0.07 for reading the points once more, with something for ties: 0.3. Found (H200):
// 0.45 to 0.49 ms for 2^20 points of 64 dimensions and 1,024 clusters, 0.84 to 0.88 of step 5 in the same run. The
// tensor core is busy for 0.78 of find_shares' 0.25 ms: a fifth product of 16 coordinates is a quarter more work, and
// at 1.7 GHz, to which the clock falls under it, all of it takes 0.19. add_by_shares takes 0.19, 0.05 of that for ties:
// 16 warps are all that there is room for, most of them wait, and an instruction is issued in 0.45 of all cycles. With
// few clusters it is 1.6 to 3.3 times as fast as step 5. With few points step 5 is faster: 70,000 of 33 dimensions and
// 513 clusters take that 0.08 ms, and this 0.10.
#include "find_shares.cuh"
#include "settle.cuh"
#include "sorted_sums.cuh"

struct SettleMemory {
  Centres centres;
  Settling settling[kWarpgroups];
  unsigned short near[kRound];
};

struct Memory {
  union {
    SettleMemory settle;
    SumsMemory sums;
  };
  unsigned short found[kRound];
  int ends[kShares], near_count;
  Barrier landed;
};
static_assert(sizeof(Memory) <= 227 << 10);

// Where each share's points end, from how many it has. By a warp.
__device__ inline void ends_from_counts(int (&shares)[kShares]) {
  constexpr int kEach = kShares / 32;
  const int lane = lane_of_thread();
  int sum = 0, before[kEach];
  for (int i = 0; i < kEach; ++i) before[i] = sum, sum += shares[lane * kEach + i];
  int up_to = sum;
  for (int lanes = 1; lanes < 32; lanes *= 2) {
    const int lower = __shfl_up_sync(~0u, up_to, lanes);
    if (lane >= lanes) up_to += lower;
  }
  for (int i = 0; i < kEach; ++i) shares[lane * kEach + i] = up_to - sum + before[i];
}

// take(point of the block, what find_shares left in its label's place). By all threads of the block, which load some
// ahead: a store may be to where the next load is from, for all that the compiler knows.
template <class Take>
__device__ inline void for_each_point(const int* labels, int total, Take take) {
  constexpr int kAhead = 8;
#pragma unroll 1
  for (int first = threadIdx.x; first < total; first += kAhead * kBlockThreads) {
    int left[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      left[i] = first + i * kBlockThreads < total ? labels[first + i * kBlockThreads] : 0;
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      if (first + i * kBlockThreads < total) take(first + i * kBlockThreads, left[i]);
  }
}

// Labels, from what find_shares left in their place, and sums. A block has at most kRound points.
template <int kDepth>
__global__ void __launch_bounds__(kBlockThreads, 1) add_by_shares(Problem p, const float* centres, Answer answer) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  const int warpgroup = __shfl_sync(~0u, int(threadIdx.x) / kGroupThreads, 0), lane = lane_of_thread();
  const int base = int(size_t(blockIdx.x) * p.points / gridDim.x);
  const int total = int(size_t(blockIdx.x + 1) * p.points / gridDim.x) - base;
  int* const labels = answer.labels + base;
  copy_halves(p, memory.settle.centres.halves, &memory.landed);
  const ScoreBounds bounds;
  for (int i = threadIdx.x; i < rows_of(p); i += kBlockThreads)
    memory.settle.centres.start_of(i) = prepared.starts[i] + (i < p.clusters ? bounds.lift() : 0.0f);
  for (int i = threadIdx.x; i < kShares; i += kBlockThreads) memory.ends[i] = 0;
  if (threadIdx.x == 0) memory.near_count = 0;
  __syncthreads();

  for_each_point(labels, total, [&](int i, int left) {
    memory.found[i] = found_of(left);
    if (is_near(found_of(left))) memory.settle.near[atomicAdd(&memory.near_count, 1)] = static_cast<unsigned short>(i);
  });
  __syncthreads();
  wait_for(&memory.landed, 0);
  // All warpgroups have as many parts of at most kTile points.
  const int near = memory.near_count;
  const int parts = (near + kWarpgroups * kTile - 1) / (kWarpgroups * kTile) * kWarpgroups;
#pragma unroll 1
  for (int part = warpgroup; part < parts; part += kWarpgroups) {
    const int from = part * near / parts, to = (part + 1) * near / parts;
    if (from < to)
      settle<kDepth>(p, centres, memory.settle.centres, memory.settle.settling[warpgroup], warpgroup, base,
                     memory.settle.near + from, to - from, memory.found);
  }
  __syncthreads();

  for (int i = threadIdx.x; i < total; i += kBlockThreads) atomicAdd(&memory.ends[share_of_found(memory.found[i])], 1);
  __syncthreads();
  if (threadIdx.x < 32) ends_from_counts(memory.ends);
  __syncthreads();
  // What is where its share's points end so far becomes where they end.
  for (int i = threadIdx.x; i < total; i += kBlockThreads) {
    const int found = memory.found[i];
    memory.sums.sorted[atomicAdd(&memory.ends[share_of_found(found)], 1)] =
        static_cast<unsigned short>((found & kSettled) | i);
  }
  __syncthreads();
  SortedSums<kDepth>{p, centres, memory.sums, memory.found, memory.ends, base, prepared.scale, bounds, answer}.run(
      total);
  __syncthreads();

  int moved = 0;
  for_each_point(labels, total, [&](int i, int left) {
    moved += before_of(left) != memory.found[i];
    labels[i] = memory.found[i];
  });
  for (int distance = 16; distance > 0; distance /= 2) moved += __shfl_down_sync(~0u, moved, distance);
  if (lane == 0 && moved > 0) atomicAdd(answer.changed, moved);
}

extern "C" void iterate(const float* coordinates, float* centres, int* labels, double* sums, int* counts, int* changed,
                        int points, int dimensions, int clusters) {
  const Problem p{coordinates, points, dimensions, clusters};
  const Answer answer{labels, sums, counts, changed};
  at_depth(dimensions, [&](auto depth) {
    find_and_add<depth.value>(p, centres, answer, add_by_shares<depth.value>, kRound, sizeof(Memory));
  });
}
