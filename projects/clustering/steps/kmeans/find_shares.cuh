// The share with the nearest centre, of each point.
#pragma once

#include "scores.cuh"
#include "tiles.cuh"

struct FindMemory {
  alignas(1024) uint4 halves[kMostCentres * Centres::kPieces];
  Starts starts;
  alignas(16) float tiles[kWarpgroups][kTile * 64];  // the points that come next, a row after the other
  float2 lengths[kWarpgroups][kTile];                // of points, and of what rounding took
  Barrier landed[kWarpgroups], centres_landed;
};
static_assert(sizeof(FindMemory) <= 227 << 10);

// Labels become what is known of the points (shares.cuh).
template <int kDepth>
__global__ void __launch_bounds__(kBlockThreads, 1) find_shares(Problem p, int* labels) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  FindMemory& memory = *reinterpret_cast<FindMemory*>(bytes);
  // Of the first lane, so that the compiler knows that a warp's lanes agree: products want that.
  const int warpgroup = __shfl_sync(~0u, int(threadIdx.x) / kGroupThreads, 0);
  const int thread = int(threadIdx.x % kGroupThreads), lane = lane_of_thread();
  const int step = int(gridDim.x) * kWarpgroups * kTile;
  Tiles tiles{p,
              memory.tiles[warpgroup],
              &memory.landed[warpgroup],
              (int(blockIdx.x) * kWarpgroups + warpgroup) * kTile,
              step,
              p.points};
  if (thread == 0) {
    barrier_init(&memory.landed[warpgroup]);
    tiles.ask(tiles.first);
  }
  copy_halves(p, memory.halves, &memory.centres_landed);
  const ScoreBounds bounds;
  for (int i = threadIdx.x; i < rows_of(p); i += kBlockThreads)
    memory.starts.put(i, i < p.clusters ? prepared.starts[i] + bounds.lift() : -65504 * Starts::kFactor);
  show_to_copy_engine();  // and to the tensor core
  __syncthreads();
  wait_for(&memory.centres_landed, 0);

  const unsigned factor = lane % 4 == 0 ? Starts::kFactorTwice : 0;
  const unsigned factors[4] = {factor, factor, 0, 0};
#pragma unroll 1
  for (; tiles.first < tiles.end; tiles.first += tiles.step) {
    int before[kRows] = {};
    for (int r = 0; r < kRows; ++r)
      if (lane % 4 == 0 && tiles.first + row_of(r) < p.points) before[r] = labels[tiles.first + row_of(r)];
    Points<kDepth> points;
    tiles.read(points, prepared.scale);
    for (int r = 0; r < kRows; ++r)
      if (lane % 4 == 0) memory.lengths[warpgroup][row_of(r)] = {points.length[r], points.off[r]};
    meet(1 + warpgroup);  // the tile is in registers
    if (thread == 0) tiles.ask(tiles.first + tiles.step);
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
      if (lane % 4 == 0 && point < p.points) labels[point] = packed(best[r].found(doubt), before[r]);
    }
  }
}

// An iteration of two kernels: this one, and `add` for the rest, whose blocks take `round` points each and `bytes` of
// shared memory.
template <int kDepth>
void find_and_add(const Problem& p, float* centres, const Answer& answer, void (*add)(Problem, const float*, Answer),
                  int round, int bytes) {
  prepare<<<kFinders, kBlockThreads>>>(p, centres, answer);
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  auto* find = find_shares<kDepth>;
  cudaFuncSetAttribute(find, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(FindMemory)));
  cudaFuncSetAttribute(add, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const int tiles = (p.points + kTile - 1) / kTile, fours = (tiles + kWarpgroups - 1) / kWarpgroups;
  const int blocks = min(fours, multiprocessors);
  find<<<blocks, kBlockThreads, sizeof(FindMemory)>>>(p, answer.labels);
  add<<<max(blocks, (p.points + round - 1) / round), kBlockThreads, bytes>>>(p, centres, answer);
  move_centres(p, answer.sums, answer.counts, centres);
}
