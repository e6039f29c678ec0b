// step: warps with roles: tiles pass from those that ask to those that add, look back and scan
// takes: n <= 268435456
// needs: sm_90
//
//     copy engine       landed[s]   a tile of 8192 elements is in place s of a ring in shared memory
//     8 adding warps    added[s]    the sums of its 16 pieces are known, and the tile's has been published
//     1 looking warp    known[s]    what stands before each piece is known
//     16 scanning warps used[s]     a piece for each: running sums, straight to memory; the place is free
//
// In the steps before, all warps of a block wait while one looks back, and nothing is loaded into their registers. Here
// no role waits for one that comes after it: sums are published as soon as tiles land, and tiles wait in shared memory.
// The looking warp asks for the states of 128 tiles at once: as many as all blocks have in work, so that one latency of
// the L2 cache does. A block takes the number of its next tile while it works on others; it works on them in order, so
// whoever has the lowest number never waits.
//
// Expected: 0.9 of a copy at 2^28: six tiles in work on each SM, where two would hide the latency of loads.
//
// Found (H200, 2026-11-28): 0.75 of a copy at 2^24; 0.85 at 2^28, and 1.17 times as fast as CUB in the same run. Two
// blocks on an SM with tiles of 4096: 0.83; tiles of 12,288 with four places: 0.35. Step 03 with tiles of 12,288 or
// 16,384 and three or four windows of 32 at once was no faster than with one: 0.69. Stores that stay in L2 (st without
// .cs) cost a quarter.
#include "../parts/launch.h"
#include "../parts/roles.h"
#include "tagged.h"
#include "tile.h"

namespace {

constexpr int kScanWarps = 16, kAddWarps = 8, kVectors = 4, kStages = 6, kWindows = 4;
constexpr int kPiece = kVectors * 32, kTileVectors = kScanWarps * kPiece, kTile = kTileVectors * 4;
constexpr int kThreads = (kScanWarps + kAddWarps + 2) * 32, kPiecesEach = kScanWarps / kAddWarps;
enum : unsigned { kNothing, kOwnSum, kAllBefore };

struct Progress {
  unsigned next_tile, unused;
  unsigned long long states[(1 << 28) / kTile];  // Tagged
};
__device__ Progress progress;

struct Room {
  Barrier landed[kStages], added[kStages], known[kStages], used[kStages];
  int tile[kStages];  // a number that is no tile ends all roles
  float sums[kStages][kScanWarps], befores[kStages][kScanWarps];
};

struct Work {
  const float* in;
  float* out;
  uint4* ring;
  size_t n, whole;  // elements; vectors that come by bulk copies
  int tiles;
};

__device__ __forceinline__ float running_sum_of_warp(float x) {
  int lane = int(threadIdx.x) % 32;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    float other = __shfl_up_sync(0xffffffffu, x, distance);
    if (lane >= distance) x += other;
  }
  return x;
}

// A vector of the tile in a place of the ring.
__device__ __forceinline__ void load_vector(float (&x)[4], const Work& work, int stage, int tile, int i) {
  size_t vector = size_t(tile) * kTileVectors + size_t(i);
  if (vector < work.whole)
    unpack<float>(work.ring[stage * kTileVectors + i], x);
  else
    load_ragged(x, work.in, vector, work.n);
}

// One thread.
__device__ void ask(const Work& work, Room& room) {
  RingPlace<kStages> place;
  for (int turn = 0;; ++turn, place.next()) {
    int tile = int(atomicAdd(&progress.next_tile, 1u));
    if (turn >= kStages) wait_for(&room.used[place.stage], place.round ^ 1);
    room.tile[place.stage] = tile;
    size_t first = size_t(tile) * kTileVectors;
    bool some = tile < work.tiles && first < work.whole;
    unsigned bytes = some ? unsigned(min(work.whole - first, size_t(kTileVectors))) * 16 : 0;
    expect_bytes(&room.landed[place.stage], bytes);
    if (some) copy_in(&work.ring[place.stage * kTileVectors], work.in + first * 4, bytes, &room.landed[place.stage]);
    if (tile >= work.tiles) return;
  }
}

// Each adding warp has some pieces; the first of them publishes the tile's sum.
__device__ void add_up(const Work& work, Room& room, int adder) {
  int lane = int(threadIdx.x) % 32;
  for (RingPlace<kStages> place;; place.next()) {
    wait_for(&room.landed[place.stage], place.round);
    int tile = room.tile[place.stage];
    if (tile >= work.tiles) return;
#pragma unroll
    for (int p = 0; p < kPiecesEach; ++p) {
      float sum = 0;
#pragma unroll
      for (int v = 0; v < kVectors; ++v) {
        float x[4];
        load_vector(x, work, place.stage, tile, (adder * kPiecesEach + p) * kPiece + v * 32 + lane);
        sum += (x[0] + x[1]) + (x[2] + x[3]);
      }
      sum = sum_of_warp(sum);
      if (lane == 0) room.sums[place.stage][adder * kPiecesEach + p] = sum;
    }
    asm volatile("bar.sync 1, %0;" ::"n"(kAddWarps * 32) : "memory");
    if (adder == 0) {
      float until = running_sum_of_warp(lane < kScanWarps ? room.sums[place.stage][lane] : 0.0f);
      if (lane == 31 && tile > 0) publish(&progress.states[tile], {kOwnSum, until});
      __syncwarp();
    }
    if (lane == 0) arrive(&room.added[place.stage]);
  }
}

// Everything before `tile`, by one warp. Lane 0 has the nearest tile of each window.
__device__ float look_back(int tile) {
  int lane = int(threadIdx.x) % 32, last = tile - 1;
  float before = 0;
  for (;;) {
    Tagged seen[kWindows];
#pragma unroll
    for (int w = 0; w < kWindows; ++w) {
      int other = last - w * 32 - lane;
      seen[w] = look(&progress.states[max(other, 0)]);  // no branch between the looks
      if (other < 0) seen[w] = {kAllBefore, 0};
    }
#pragma unroll
    for (int w = 0; w < kWindows; ++w) {
      unsigned complete = __ballot_sync(0xffffffffu, seen[w].tag == kAllBefore);
      unsigned missing = __ballot_sync(0xffffffffu, seen[w].tag == kNothing);
      unsigned needed = complete ? complete ^ (complete - 1) : 0xffffffffu;  // up to the first that is complete
      if (missing & needed) break;                                           // look again from here
      before += sum_of_warp(needed >> lane & 1 ? seen[w].value : 0.0f);
      if (complete) return before;
      last -= 32;
    }
  }
}

__device__ void look_for_all(const Work& work, Room& room) {
  int lane = int(threadIdx.x) % 32;
  for (RingPlace<kStages> place;; place.next()) {
    wait_for(&room.landed[place.stage], place.round);
    int tile = room.tile[place.stage];
    if (tile >= work.tiles) return;
    wait_for(&room.added[place.stage], place.round);
    float own = lane < kScanWarps ? room.sums[place.stage][lane] : 0.0f, until = running_sum_of_warp(own);
    float total = __shfl_sync(0xffffffffu, until, 31), all = tile > 0 ? look_back(tile) : 0.0f;
    if (lane == 0) publish(&progress.states[tile], {kAllBefore, all + total});
    if (lane < kScanWarps) room.befores[place.stage][lane] = all + (until - own);
    __syncwarp();
    if (lane == 0) arrive(&room.known[place.stage]);
  }
}

__device__ void scan_piece(const Work& work, Room& room, int warp) {
  for (RingPlace<kStages> place;; place.next()) {
    wait_for(&room.landed[place.stage], place.round);
    int tile = room.tile[place.stage];
    if (tile >= work.tiles) return;
    float x[kVectors][4];
#pragma unroll
    for (int v = 0; v < kVectors; ++v) load_vector(x[v], work, place.stage, tile, vector_of<kVectors>(v));
    scan_in_warp(x);
    wait_for(&room.known[place.stage], place.round);
    add(x, room.befores[place.stage][warp]);
    __syncwarp();
    if (threadIdx.x % 32 == 0) arrive(&room.used[place.stage]);
#pragma unroll
    for (int v = 0; v < kVectors; ++v)
      store_ragged(work.out, x[v], size_t(tile) * kTileVectors + size_t(vector_of<kVectors>(v)), work.n);
  }
}

__global__ void __launch_bounds__(kThreads, 1) scan(const float* in, float* out, int n) {
  extern __shared__ __align__(128) uint4 ring[];
  __shared__ Room room;
  Work work{in, out, ring, size_t(n), size_t(n) / 4, (n + kTile - 1) / kTile};
  int warp = int(threadIdx.x) / 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      barrier_init(&room.landed[s]), barrier_init(&room.added[s], kAddWarps);
      barrier_init(&room.known[s]), barrier_init(&room.used[s], kScanWarps);
    }
  }
  __syncthreads();
  if (warp < kScanWarps)
    scan_piece(work, room, warp);
  else if (warp < kScanWarps + kAddWarps)
    add_up(work, room, warp - kScanWarps);
  else if (warp == kScanWarps + kAddWarps)
    look_for_all(work, room);
  else if (threadIdx.x % 32 == 0)
    ask(work, room);
}

}  // namespace

extern "C" void solve(const float* in, float* out, int n) {
  int tiles = (n + kTile - 1) / kTile;
  void* states = nullptr;
  cudaGetSymbolAddress(&states, progress);
  cudaMemsetAsync(states, 0, 8 + size_t(tiles) * 8);
  run(scan, persistent(scan, kThreads, kStages * kTileVectors * 16, 1, tiles), in, out, n);
}
