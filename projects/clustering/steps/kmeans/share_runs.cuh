// Points of a block, sorted by shares, in runs that go to whichever warp has time; and what becomes of a run: the
// nearest centre of each of its points (best_of_share.cuh), and their sums (product_sums.cuh).
#pragma once

#include "best_of_share.cuh"
#include "product_sums.cuh"

constexpr int kRound = 126 * kTile;  // points of a block, at most
constexpr int kWarps = kBlockThreads / 32, kAhead = (kRound + kBlockThreads - 1) / kBlockThreads;
constexpr int kRun = 256, kMostRuns = kShares + (kRound + kRun - 1) / kRun;  // sorted points of a share

struct Run {
  unsigned short begin, end;  // of the sorted points
  unsigned short share;
};

struct SortedPoints {
  unsigned short sorted[kRound];  // which point, and whether it is kSettled
  Run runs[kMostRuns];
  int run_count, next_run, warps_done;
  alignas(16) int counts[kShares];
  int begins[kShares];
  alignas(4) unsigned char ranked[kShares];  // shares, that of the most points first
};

// Of each warp the unit that it works on, and those on their way.
constexpr int kStages = 3;
using Units = Unit[kWarps][kStages];

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

// The shares by their number of points. Runs are taken in this order: the last ones are short, and warps end together.
// By a thread for each share.
__device__ inline void rank_shares(SortedPoints& memory, int share) {
  auto key = [](int count, int share) { return count * kShares + share; };
  const int mine = key(memory.counts[share], share);
  int before = 0;
#pragma unroll 8
  for (int first = 0; first < kShares; first += 4) {
    const int4 counts = reinterpret_cast<const int4*>(memory.counts)[first / 4];
    before += (key(counts.x, first) > mine) + (key(counts.y, first + 1) > mine) + (key(counts.z, first + 2) > mine) +
              (key(counts.w, first + 3) > mine);
  }
  memory.ranked[before] = static_cast<unsigned char>(share);
}

// Where each share's points begin, and their runs. By a warp.
__device__ inline void lay_out(SortedPoints& memory) {
  static_assert(kShares == 4 * 32);
  const int lane = lane_of_thread();
  const uchar4 shares = reinterpret_cast<const uchar4*>(memory.ranked)[lane];
  const int4 counts = {memory.counts[shares.x], memory.counts[shares.y], memory.counts[shares.z],
                       memory.counts[shares.w]};
  auto runs = [](int count) { return (count + kRun - 1) / kRun; };
  int total, run_count;
  const int4 begins = sums_before(counts, &total);
  const int4 first = sums_before({runs(counts.x), runs(counts.y), runs(counts.z), runs(counts.w)}, &run_count);
  memory.begins[shares.x] = begins.x, memory.begins[shares.y] = begins.y;
  memory.begins[shares.z] = begins.z, memory.begins[shares.w] = begins.w;
  auto put = [&](int share, int run, int begin, int count) {
    for (int at = 0; at < count; at += kRun, ++run)
      memory.runs[run] = {static_cast<unsigned short>(begin + at),
                          static_cast<unsigned short>(begin + min(at + kRun, count)),
                          static_cast<unsigned short>(share)};
  };
  put(shares.x, first.x, begins.x, counts.x), put(shares.y, first.y, begins.y, counts.y);
  put(shares.z, first.z, begins.z, counts.z), put(shares.w, first.w, begins.w, counts.w);
  if (lane == 0) memory.run_count = run_count, memory.next_run = 0, memory.warps_done = 0;
}

// Sorts the block's points by shares. By all threads; the counts are zero, and found[] is there for all to see.
__device__ inline void sort_points(SortedPoints& memory, const unsigned short* found, int total) {
  int share[kAhead], rank[kAhead];
#pragma unroll
  for (int i = 0; i < kAhead; ++i) {
    const int point = threadIdx.x + i * kBlockThreads;
    if (point < total) share[i] = share_of_found(found[point]), rank[i] = atomicAdd(&memory.counts[share[i]], 1);
  }
  __syncthreads();
  if (threadIdx.x < kShares) rank_shares(memory, threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 32) lay_out(memory);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kAhead; ++i) {
    const int point = threadIdx.x + i * kBlockThreads;
    if (point < total)
      memory.sorted[memory.begins[share[i]] + rank[i]] = static_cast<unsigned short>((found[point] & kSettled) | point);
  }
  __syncthreads();
}

template <int kDepth>
struct Sums {
  const Problem& p;
  const float* centres;
  SortedPoints& memory;
  Units& units_of_warps;
  unsigned short* found;  // of the block's points; becomes their labels
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
    static_assert(kStages == 3);
    const int lane = lane_of_thread(), quad = lane / 4, q = lane % 4;
    Unit(&units)[kStages] = units_of_warps[threadIdx.x / 32];
    Place now;
    if (!next(now)) return;
    ask(units[0], now);
    Place behind = now;
    bool more = next(behind), begins = true;
    if (more)
      ask(units[1], behind);
    else
      Unit::ask_for_none();
    ProductSums<kDepth> sums;
    sums.clear();
    ShareCentres<kDepth> theirs;
#pragma unroll 1
    for (int stage = 0;; stage = stage == 2 ? 0 : stage + 1) {
      if (begins) theirs.read(now.share);
      Place third = behind;
      const bool more_behind = more && next(third);
      if (more_behind)
        ask(units[stage == 0 ? 2 : stage - 1], third);
      else
        Unit::ask_for_none();
      Unit::wait<kStages - 1>();
      const Unit& unit = units[stage];
      UnitHalves<kDepth> halves;
      halves.read(unit, scale);
      int places[kRows];
      auto entry = [&](int row) { return memory.sorted[now.at + min(row, now.count() - 1)]; };
      decide<kDepth>(p, centres, bounds, halves, theirs, now.share, now.count(), base, found, entry, places);
      sums.add(unit, places);
      __syncwarp();  // the unit may be filled anew
#pragma unroll
      for (int r = 0; r < kRows; ++r)
        if (q == 0 && places[r] >= 0)
          found[entry(quad + r * 8) & kIndex] = static_cast<unsigned short>(centre_in(now.share, places[r]));
      begins = !more || behind.at != now.at + kUnit || behind.share != now.share;
      if (begins) sums.flush(p, now.share, answer);
      if (!more) return;
      now = behind, behind = third, more = more_behind;
    }
  }
};

// By all threads, each warp when it has no run left: the labels found are the answer's. `before`: what a label was.
// Those are read by the warps that are the first to end, while they wait for the others.
template <class Before>
__device__ inline void put_labels(const Answer& answer, SortedPoints& memory, const unsigned short* found, int base,
                                  int total, Before before) {
  constexpr int kReaders = kWarps / 2, kOfReader = (kRound + kReaders - 1) / kReaders,
                kOfThread = (kOfReader + 31) / 32;
  const int lane = lane_of_thread();
  const int turn = __shfl_sync(~0u, lane == 0 ? atomicAdd(&memory.warps_done, 1) : 0, 0);
  const int first = turn * kOfReader + lane, end = min((turn + 1) * kOfReader, total);
  int left[kOfThread];
  if (turn < kReaders) {
#pragma unroll
    for (int i = 0; i < kOfThread; ++i) left[i] = first + i * 32 < end ? answer.labels[base + first + i * 32] : 0;
  }
  __syncthreads();
  if (turn >= kReaders) return;
  int moved = 0;
#pragma unroll
  for (int i = 0; i < kOfThread; ++i) {
    const int point = first + i * 32;
    // Nothing is to do where the memory has the label already, and it was the label before.
    if (point >= end || (left[i] == found[point] && before(left[i]) == found[point])) continue;
    moved += before(left[i]) != found[point];
    answer.labels[base + point] = found[point];
  }
  moved = __reduce_add_sync(~0u, moved);
  if (lane == 0 && moved > 0) atomicAdd(answer.changed, moved);
}
