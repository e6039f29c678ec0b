// Points sorted by shares: the nearest centre of the share, and the sums of each centre's points.
//
// A warp takes 16 points of a share at a time. Their rows come through a ring in shared memory, and one product
// (m16n8k16, halves as before) has the scores of the share's eight centres. What may be a tie is decided in double
// precision. Then the rows, which are there, are added to eight sums of doubles in shared memory, and those to the L2
// cache when the share ends: with 1,024 clusters one atomic addition for about eight.
#pragma once

#include "prepared.cuh"

constexpr int kRound = 8192;  // points of a block
constexpr int kWarps = kBlockThreads / 32, kUnit = 16, kStages = 2;
constexpr int kIndex = kRound - 1;  // the bits of an entry that say which point

struct SumsMemory {
  float4 rows[kWarps][kStages][kUnit * 16];
  double2 sums[kWarps][kOfShare * 32];  // a lane has two coordinates
  int counts[kWarps][kOfShare];
  unsigned short sorted[kRound];  // which point, and whether it is kSettled
};

template <int kDepth>
struct SortedSums {
  const Problem& p;
  const float* centres;
  SumsMemory& memory;
  unsigned short* found;  // of each point of the block; labels in the end
  const int* ends;        // of each share's points among the sorted
  int base;               // the block's first point
  float scale;
  ScoreBounds bounds;
  const Answer& answer;

  // 16 bytes of a row, so that a product's reads of two rows are of different banks.
  __device__ static int place(int row, int piece) { return row * 16 + (piece ^ row % 2 * 4); }

  // By a warp: asks for so many rows of sorted points from `from` on.
  __device__ void ask(float4* rows, int from, int count) const {
    const int lane = lane_of_thread();
    if (p.dimensions == 64 && reinterpret_cast<size_t>(p.coordinates) % 16 == 0) {
      const int entry = memory.sorted[from + min(lane % kUnit, count - 1)] & kIndex;
#pragma unroll
      for (int i = 0; i < kUnit / 2; ++i) {
        const int row = 2 * i + lane / 16, which = __shfl_sync(~0u, entry, row);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&rows[place(row, lane % 16)])),
                     "l"(__cvta_generic_to_global(p.coordinates + size_t(base + which) * 64 + lane % 16 * 4))
                     : "memory");
      }
    } else {
      for (int row = 0; row < kUnit; ++row) {
        const int which = memory.sorted[from + min(row, count - 1)] & kIndex;
        for (int d = lane; d < 64; d += 32)
          reinterpret_cast<float*>(&rows[place(row, d / 4)])[d % 4] =
              d < p.dimensions ? p.coordinates[size_t(base + which) * p.dimensions + d] : 0.0f;
      }
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  }

  __device__ int share_at(int position) const { return share_of_found(found[memory.sorted[position] & kIndex]); }

  // By all warps: each has as many of the sorted points.
  __device__ void run(int total) {
    const int lane = lane_of_thread(), warp = threadIdx.x / 32, centre = lane / 4, q = lane % 4;
    const int end = (warp + 1) * total / kWarps;
    int at = warp * total / kWarps, stage = 0;
    if (at >= end) return;
    double2* const sums = memory.sums[warp];
    int* const counts = memory.counts[warp];
#pragma unroll
    for (int c = 0; c < kOfShare; ++c) sums[c * 32 + lane] = {0, 0};
    if (lane < kOfShare) counts[lane] = 0;
    __syncwarp();
    int share = share_at(at), share_end = min(end, ends[share]), count = min(kUnit, share_end - at);
    ask(memory.rows[warp][0], at, count);
    while (at < end) {
      // Second factors: the lane has coordinates of a centre.
      const int now = share;
      unsigned theirs[kDepth / 16][2];
#pragma unroll
      for (int sixteen = 0; sixteen < kDepth / 16; ++sixteen)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const uint4* piece = &prepared.halves[Centres::place(centre_in(now, centre), sixteen * 2 + half)];
          theirs[sixteen][half] = reinterpret_cast<const unsigned*>(piece)[q];
        }
      const float starts[2] = {prepared.starts[centre_in(now, 2 * q)], prepared.starts[centre_in(now, 2 * q + 1)]};
      while (share == now && at < end) {
        const int here = at, points = count;
        const float4* rows = memory.rows[warp][stage];
        at += count, stage ^= 1;
        if (at < end) {
          if (at == share_end) share = share_at(at), share_end = min(end, ends[share]);
          count = min(kUnit, share_end - at);
          ask(memory.rows[warp][stage], at, count);
          asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else {
          asm volatile("cp.async.wait_group 0;" ::: "memory");
        }
        __syncwarp();
        int places[kRows];
        decide(now, here, points, rows, theirs, starts, places);
        add(rows, points, places, sums);
        __syncwarp();
      }
      flush(now, sums, counts);
    }
  }

  // places: of the rows of a row's first lane, which centre of the share.
  __device__ void decide(int share, int from, int points, const float4* rows, const unsigned (&theirs)[kDepth / 16][2],
                         const float (&starts)[2], int (&places)[kRows]) {
    const int lane = lane_of_thread(), quad = lane / 4, q = lane % 4;
    unsigned halves[kDepth / 16][4];
    float lengths[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      float squares = 0;
#pragma unroll
      for (int sixteen = 0; sixteen < kDepth / 16; ++sixteen) {
        float4 x = rows[place(quad + r * 8, sixteen * 4 + q)];
        x.x *= scale, x.y *= scale, x.z *= scale, x.w *= scale;
        squares += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
        const __half2 first = __floats2half2_rn(x.x, x.y), second = __floats2half2_rn(x.z, x.w);
        halves[sixteen][r] = reinterpret_cast<const unsigned&>(first);
        halves[sixteen][2 + r] = reinterpret_cast<const unsigned&>(second);
      }
      for (int lanes = 1; lanes < 4; lanes *= 2) squares += __shfl_xor_sync(~0u, squares, lanes);
      lengths[r] = 1.001f * sqrtf(squares);
    }
    float scores[4] = {};
#pragma unroll
    for (int sixteen = 0; sixteen < kDepth / 16; ++sixteen)
      multiply_add_halves(scores, halves[sixteen], theirs[sixteen]);

    float best[kRows], second[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const float a = scores[2 * r] + starts[0], b = scores[2 * r + 1] + starts[1];
      best[r] = fmaxf(a, b), second[r] = fminf(a, b), places[r] = 2 * q + int(b > a);
    }
#pragma unroll
    for (int lanes = 1; lanes < 4; lanes *= 2)
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const float other = __shfl_xor_sync(~0u, best[r], lanes);
        const float others_second = __shfl_xor_sync(~0u, second[r], lanes);
        const int others_place = __shfl_xor_sync(~0u, places[r], lanes);
        second[r] = fmaxf(fmaxf(second[r], others_second), fminf(best[r], other));
        if (other > best[r] || (other == best[r] && others_place < places[r])) places[r] = others_place;
        best[r] = fmaxf(best[r], other);
      }
    int entries[kRows];
    unsigned unsure[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      entries[r] = memory.sorted[from + min(quad + r * 8, points - 1)];
      const bool settled = entries[r] & kSettled, mine = q == 0 && quad + r * 8 < points;
      if (settled && mine) places[r] = place_in_share(found[entries[r] & kIndex] % kMostCentres);
      const float doubt = bounds.doubt_in_share(lengths[r], best[r]);
      const bool sure = settled || (lengths[r] < 65000.0f && best[r] - second[r] > doubt);
      unsure[r] = __ballot_sync(~0u, mine && !sure);
    }
#pragma unroll 1
    while (unsure[0] | unsure[1]) {  // seldom
      const int r = unsure[0] ? 0 : 1, of = (__ffs(int(r == 0 ? unsure[0] : unsure[1])) - 1) / 4;
      const int nearest = nearest_exactly(rows, of + r * 8, share);
      if (r == 0) {
        unsure[0] &= unsure[0] - 1;
        if (quad == of) places[0] = nearest;
      } else {
        unsure[1] &= unsure[1] - 1;
        if (quad == of) places[1] = nearest;
      }
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r)
      if (q == 0 && quad + r * 8 < points) {
        found[entries[r] & kIndex] = static_cast<unsigned short>(centre_in(share, places[r]));
        atomicAdd(&memory.counts[threadIdx.x / 32][places[r]], 1);
      }
  }

  __device__ int nearest_exactly(const float4* rows, int row, int share) const {
    double least = 0;
    int nearest = -1;
#pragma unroll 1
    for (int c = 0; c < kOfShare; ++c) {
      const int centre = centre_in(share, c);
      if (centre >= p.clusters) break;
      double sum = 0;
      for (int d = lane_of_thread(); d < p.dimensions; d += 32) {
        const double along = double(reinterpret_cast<const float*>(&rows[place(row, d / 4)])[d % 4]) -
                             double(centres[size_t(centre) * p.dimensions + d]);
        sum += along * along;
      }
      for (int lanes = 1; lanes < 32; lanes *= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
      if (nearest < 0 || sum < least) least = sum, nearest = c;
    }
    return nearest;
  }

  // Two rows at a time, so that the second does not wait for the first to be stored. If both go to one sum, it does.
  __device__ void add(const float4* rows, int points, const int (&places)[kRows], double2* sums) const {
    const int lane = lane_of_thread();
    auto coordinates = [&](int row) { return reinterpret_cast<const float2*>(&rows[place(row, lane / 2)])[lane % 2]; };
#pragma unroll
    for (int i = 0; i < kUnit; i += 2) {
      if (i >= points) break;
      const int c = __shfl_sync(~0u, places[i / 8], i % 8 * 4), d = __shfl_sync(~0u, places[i / 8], i % 8 * 4 + 4);
      const float2 x = coordinates(i);
      float2 y = coordinates(i + 1);
      if (i + 1 >= points) y = {0, 0};
      double2 sum = sums[c * 32 + lane], next = sums[d * 32 + lane];
      sum.x += double(x.x), sum.y += double(x.y);
      if (c == d) next = sum;
      next.x += double(y.x), next.y += double(y.y);
      sums[c * 32 + lane] = sum;
      sums[d * 32 + lane] = next;
    }
  }

  __device__ void flush(int share, double2* sums, int* counts) const {
    const int lane = lane_of_thread();
#pragma unroll
    for (int c = 0; c < kOfShare; ++c) {
      const int points = counts[c], centre = centre_in(share, c);
      if (points == 0) continue;
      double* const to = answer.sums + size_t(centre) * p.dimensions + 2 * lane;
      const double2 sum = sums[c * 32 + lane];
      sums[c * 32 + lane] = {0, 0};
      if (2 * lane < p.dimensions) atomicAdd(to, sum.x);
      if (2 * lane + 1 < p.dimensions) atomicAdd(to + 1, sum.y);
      if (lane == 0) atomicAdd(&answer.counts[centre], points);
    }
    __syncwarp();
    if (lane < kOfShare) counts[lane] = 0;
    __syncwarp();
  }
};
