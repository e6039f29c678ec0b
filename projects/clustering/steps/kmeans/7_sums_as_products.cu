// Step 7: sums of points by tensor cores, and near ties row by row (sm_90a).
//
// Behind find_shares, step 6 takes 0.20 ms, and issues 830 instructions for 16 points. So here
//
//     sums       are products of points by ones and zeros, which say whose a point is (product_sums.cuh). Of 16 points
//                the tensor core makes them in 125 instructions, and they stay in registers until a share ends
//     near ties  are noted row by row, so that all rows of a warp are compared at once (settle_rows.cuh); and fewer
//                points are near one, since a bound by the distance from the point takes the place of one by the
//                longest centre (ScoreBounds::doubt_at, in find_shares.cuh, which step 6 uses, too)
//     runs       of at most 256 points of a share go to whichever warp has time
//
// Expected: reading the points once more, 0.07 ms, and 0.03 for near ties. Found (H200), of 2^20 points, 64 dimensions
// and 1,024 clusters, in the same run: 0.14 ms instead of 0.20, and an iteration in 0.39 instead of 0.46. By cycles of
// a block: 0.035 ms for near ties, 0.085 for sums, of which an instruction is issued in 0.55 of all cycles, and 0.02
// for the list of points, sorting it, and labels. With few clusters the gain is larger: 2^22 points of 16 dimensions
// and 64 clusters take 0.52 ms instead of 1.71.
//
// Registers that do not suffice cost more than anything else: shared memory leaves the L1 cache 28 KiB, so what 512
// threads spill goes to the L2 cache. With 80 words loaded back, add_products took 0.23 ms instead of 0.17.
#include "best_of_share.cuh"
#include "find_shares.cuh"
#include "product_sums.cuh"
#include "settle_rows.cuh"

constexpr int kRound = 8192;  // points of a block
constexpr int kWarps = kBlockThreads / 32, kAhead = kRound / kBlockThreads, kStages = 2;
constexpr int kRun = 256, kMostRuns = kShares + kRound / kRun;  // sorted points of a share

struct Run {
  unsigned short begin, end;  // of the sorted points
  int share;
};

struct SettleMemory {
  Centres centres;
  RowCandidates candidates[kWarps];
  SettlingRows settling[kWarpgroups];
};

struct Memory {
  union {
    SettleMemory settle;
    Unit units[kWarps][kStages];
  };
  unsigned short found[kRound];   // of each point of the block
  unsigned short sorted[kRound];  // points by shares, and whether they are kSettled; before, those near a tie
  Run runs[kMostRuns];
  int counts[kShares], begins[kShares];
  int near_count, run_count, next_run;
  Barrier landed;
};
static_assert(sizeof(Memory) <= 227 << 10);

// Of four neighbouring numbers of each lane, the sum of all before: of each of them.
__device__ inline int4 sums_before(int4 of, int* all) {
  const int sum = of.x + of.y + of.z + of.w;
  int up_to = sum;
  for (int lanes = 1; lanes < 32; lanes *= 2) {
    const int lower = __shfl_up_sync(~0u, up_to, lanes);
    if (lane_of_thread() >= lanes) up_to += lower;
  }
  const int before = up_to - sum;
  *all = __shfl_sync(~0u, up_to, 31);
  return {before, before + of.x, before + of.x + of.y, before + of.x + of.y + of.z};
}

// Where each share's points begin, and their runs. By a warp.
__device__ inline void lay_out(Memory& memory) {
  static_assert(kShares == 4 * 32);
  const int lane = lane_of_thread();
  const int4 counts = reinterpret_cast<const int4*>(memory.counts)[lane];
  auto runs = [](int count) { return (count + kRun - 1) / kRun; };
  int total, run_count;
  const int4 begins = sums_before(counts, &total);
  const int4 first = sums_before({runs(counts.x), runs(counts.y), runs(counts.z), runs(counts.w)}, &run_count);
  reinterpret_cast<int4*>(memory.begins)[lane] = begins;
  auto put = [&](int share, int run, int begin, int count) {
    for (int at = 0; at < count; at += kRun, ++run)
      memory.runs[run] = {static_cast<unsigned short>(begin + at),
                          static_cast<unsigned short>(begin + min(at + kRun, count)), share};
  };
  put(4 * lane, first.x, begins.x, counts.x), put(4 * lane + 1, first.y, begins.y, counts.y);
  put(4 * lane + 2, first.z, begins.z, counts.z), put(4 * lane + 3, first.w, begins.w, counts.w);
  if (lane == 0) memory.run_count = run_count;
}

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
    memory.found[point] = found_of(left[i]);
    if (point < total && found_of(left[i]) & kNear)
      memory.sorted[atomicAdd(&memory.near_count, 1)] = static_cast<unsigned short>(point);
  }
  __syncthreads();
}

// Sorts the block's points by shares. By all threads.
__device__ inline void sort_points(Memory& memory, int total) {
  int share[kAhead], rank[kAhead];
#pragma unroll
  for (int i = 0; i < kAhead; ++i) {
    const int point = threadIdx.x + i * kBlockThreads;
    share[i] = share_of_found(memory.found[point]);
    if (point < total) rank[i] = atomicAdd(&memory.counts[share[i]], 1);
  }
  __syncthreads();
  if (threadIdx.x < 32) lay_out(memory);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kAhead; ++i) {
    const int point = threadIdx.x + i * kBlockThreads;
    if (point < total)
      memory.sorted[memory.begins[share[i]] + rank[i]] =
          static_cast<unsigned short>((memory.found[point] & kSettled) | point);
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
    const unsigned short* list = memory.sorted + from;
    settle_rows<kDepth>(p, centres, memory.settle.centres, memory.settle.candidates[threadIdx.x / 32], mine, warpgroup,
                        base, list, count, [&](int i) { return limit_of(memory.found[list[i]]); });
    if (thread < count)
      memory.found[list[thread]] = static_cast<unsigned short>(kSettled | mine.nearest.labels[thread]);
  }
}

template <int kDepth>
struct Sums {
  const Problem& p;
  const float* centres;
  Memory& memory;
  const ScoreBounds& bounds;
  const Answer& answer;
  int base;  // the block's first point
  float scale;

  // A unit of a run.
  struct Place {
    int share = 0, at = 0, end = 0;

    __device__ int count() const { return min(kUnit, end - at); }
  };

  // By a warp: the unit behind this one. False if there is none left.
  __device__ bool next(Place& place) {
    place.at += kUnit;
    if (place.at < place.end) return true;
    const int run = __shfl_sync(~0u, lane_of_thread() == 0 ? atomicAdd(&memory.next_run, 1) : 0, 0);
    if (run >= memory.run_count) return false;
    place = {memory.runs[run].share, memory.runs[run].begin, memory.runs[run].end};
    return true;
  }
  __device__ void ask(Unit& unit, const Place& place) {
    unit.ask<kDepth>(p, place.count(), [&](int row) { return base + (memory.sorted[place.at + row] & kIndex); });
  }

  // By a warp: runs until there is none left. What was found of points becomes their labels.
  __device__ void add_runs() {
    const int lane = lane_of_thread(), quad = lane / 4, q = lane % 4;
    Unit(&units)[kStages] = memory.units[threadIdx.x / 32];
    int stage = 0;
    Place now;
    bool more = next(now), begins = true;
    if (!more) return;
    ask(units[0], now);
    ProductSums<kDepth> sums;
    sums.clear();
    ShareCentres<kDepth> theirs;
#pragma unroll 1
    do {
      if (begins) theirs.read(now.share, bounds.lift());
      Place behind = now;
      more = next(behind);
      if (more)
        ask(units[stage ^ 1], behind);
      else
        Unit::ask_for_none();
      Unit::wait<1>();
      const Unit& unit = units[stage];
      UnitHalves<kDepth> halves;
      halves.read(unit, scale);
      int places[kRows];
      auto entry = [&](int row) { return memory.sorted[now.at + min(row, now.count() - 1)]; };
      decide<kDepth>(p, centres, bounds, halves, theirs, now.share, now.count(), base, memory.found, entry, places);
      sums.add(unit, places);
      __syncwarp();  // the unit may be filled anew
#pragma unroll
      for (int r = 0; r < kRows; ++r)
        if (q == 0 && places[r] >= 0)
          memory.found[entry(quad + r * 8) & kIndex] = static_cast<unsigned short>(centre_in(now.share, places[r]));
      begins = !more || behind.at != now.at + kUnit || behind.share != now.share;
      if (begins) sums.flush(p, now.share, answer);
      now = behind, stage ^= 1;
    } while (more);
  }
};

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
  for (int i = threadIdx.x; i < kShares; i += kBlockThreads) memory.counts[i] = 0;
  if (threadIdx.x == 0) memory.near_count = memory.next_run = 0;
  __syncthreads();
  take_found(memory, answer.labels + base, total);
  wait_for(&memory.landed, 0);
  settle_all<kDepth>(p, centres, memory, warpgroup, base);
  __syncthreads();
  sort_points(memory, total);
  Sums<kDepth>{p, centres, memory, bounds, answer, base, prepared.scale}.add_runs();
  __syncthreads();
  int moved = 0;
  int left[kAhead];
#pragma unroll
  for (int i = 0; i < kAhead; ++i) {
    const int point = threadIdx.x + i * kBlockThreads;
    left[i] = point < total ? answer.labels[base + point] : 0;
  }
#pragma unroll
  for (int i = 0; i < kAhead; ++i) {
    const int point = threadIdx.x + i * kBlockThreads;
    if (point >= total) break;
    moved += before_of(left[i]) != memory.found[point];
    answer.labels[base + point] = memory.found[point];
  }
  for (int distance = 16; distance > 0; distance /= 2) moved += __shfl_down_sync(~0u, moved, distance);
  if (lane_of_thread() == 0 && moved > 0) atomicAdd(answer.changed, moved);
}

template <int kDepth>
void launch(const Problem& p, float* centres, const Answer& answer) {
  prepare<<<kFinders, kBlockThreads>>>(p, centres, answer);
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  auto* find = find_shares<kDepth>;
  auto* add = add_products<kDepth>;
  cudaFuncSetAttribute(find, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(FindMemory)));
  cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Memory)));
  const int tiles = (p.points + kTile - 1) / kTile, fours = (tiles + kWarpgroups - 1) / kWarpgroups;
  const int blocks = min(fours, multiprocessors);
  find<<<blocks, kBlockThreads, sizeof(FindMemory)>>>(p, answer.labels);
  add<<<max(blocks, (p.points + kRound - 1) / kRound), kBlockThreads, sizeof(Memory)>>>(p, centres, answer);
  move_centres(p, answer.sums, answer.counts, centres);
}

extern "C" void iterate(const float* coordinates, float* centres, int* labels, double* sums, int* counts, int* changed,
                        int points, int dimensions, int clusters) {
  const Problem p{coordinates, points, dimensions, clusters};
  const Answer answer{labels, sums, counts, changed};
  at_depth(dimensions, [&](auto depth) { launch<depth.value>(p, centres, answer); });
}
