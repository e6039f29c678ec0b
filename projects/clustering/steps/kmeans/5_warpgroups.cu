// Step 5: one product in half precision, by warpgroups (sm_90a).
//
// Step 4 multiplies three times, since it wants few near ties. One product in halves has a third of the work and twice
// bfloat16's bits, at 2^-11 of a coordinate: most points have no second centre as near as that. The rest, a few in a
// hundred, wait as in step 4, and are decided in double precision (halves.cuh has the bound).
//
// All centres, up to 1,024, stay in shared memory. A warpgroup multiplies 64 points by 128 of them at a time, straight
// from there, and looks through the scores while the three others multiply; the copy engine brings its next points.
// Looking through is what tensor cores wait for: a maximum takes twice as long as an addition. So four centres of a
// lane are compared at once, and only their maximum is met with the largest and the second largest so far, the number
// of its share in its last bits. At the end the four scores of the best share are worked out again, to find the best of
// them.
//
// Found (H200): with 1024 clusters of 64 dimensions 0.56 ms for 2^20 points, 3.3 times as fast as step 4 and 12 times
// as fast as the faster of PyTorch's two. Products alone would take 0.14. With few clusters many points add to few sums
// in the L2 cache, and it is slower than step 3.
#include "answer.cuh"
#include "candidates.cuh"

// A warpgroup's points whose label is not certain yet, and what is found of a tile of them.
struct Waiting {
  int count;
  int points[2 * kTile];
  float limits[2 * kTile];  // a centre whose score is below it is not the nearest
  Nearest<kTile> nearest;
  Candidates candidates[kGroupThreads / 32];

  __device__ void put(int point, float limit) {
    const int slot = atomicAdd(&count, 1);
    points[slot] = point, limits[slot] = limit;
  }

  __device__ Candidates& of_warp() { return candidates[threadIdx.x % kGroupThreads / 32]; }
};

struct Memory {
  Centres centres;
  alignas(16) float tiles[kWarpgroups][kTile * 64];  // the points that come next, a row after the other
  Waiting waiting[kWarpgroups];
  Barrier landed[kWarpgroups];
};
static_assert(sizeof(Memory) <= 227 << 10);

// The tiles of a warpgroup, one after the other. The copy engine brings the next one while there is work on one.
struct Tiles {
  const Problem& p;
  float* place;
  Barrier* landed;
  int first;  // point of the next tile
  int step;
  unsigned round = 0;

  __device__ Tiles(const Problem& problem, Memory& memory, int warpgroup)
      : p(problem),
        place(memory.tiles[warpgroup]),
        landed(&memory.landed[warpgroup]),
        first((blockIdx.x * kWarpgroups + warpgroup) * kTile),
        step(gridDim.x * kWarpgroups * kTile) {}
  __device__ bool there() const { return first < p.points; }
  // Whether the engine can copy it: all of it, from where copies may begin.
  __device__ bool whole() const {
    return first + kTile <= p.points && reinterpret_cast<size_t>(p.coordinates) % 16 == 0;
  }

  // By one thread, when nobody reads the place.
  __device__ void ask() const {
    if (!whole()) return;
    const unsigned bytes = kTile * p.dimensions * sizeof(float);
    expect_bytes(landed, bytes);
    copy_in(place, &p.coordinates[size_t(first) * p.dimensions], bytes, landed);
  }
  // The first row, when it is there.
  __device__ const float* rows() {
    if (!whole()) return &p.coordinates[size_t(first) * p.dimensions];
    wait_for(landed, round);
    round ^= 1;
    return place;
  }
};

__global__ void __launch_bounds__(kBlockThreads) begin(Problem p, const float* centres, Answer answer) {
  begin_sums(p, answer);
  float largest = 0;
  for (int i = blockIdx.x * kBlockThreads + threadIdx.x; i < p.clusters * p.dimensions; i += kFinders * kBlockThreads)
    largest = fmaxf(largest, fabsf(centres[i]));
  largest = block_max(largest);
  if (threadIdx.x == 0) largest_of_block[blockIdx.x] = largest;
}

// The nearest of the best share's centres, whose scores are given, or -1 if another may be as near. limit: see Waiting.
__device__ inline int decide(const float (&scores)[kOfLane], const Largest& largest, float doubt, float& limit) {
  float best = -FLT_MAX, second = largest.second;
  int label = -1;
#pragma unroll
  for (int i = 0; i < kOfLane; ++i) {
    second = fmaxf(second, fminf(best, scores[i]));
    if (scores[i] > best) best = scores[i], label = centre_of(largest.share(), i);
  }
  limit = best - doubt;
  return best - second > doubt ? label : -1;
}

template <int kDepth>
__global__ void __launch_bounds__(kBlockThreads, 1)
    assign_by_warpgroups(Problem p, const float* centres, Answer answer) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  // Of the first lane, so that the compiler knows that a warp's lanes agree: products want that.
  const int warpgroup = __shfl_sync(~0u, int(threadIdx.x) / kGroupThreads, 0);
  const int thread = int(threadIdx.x % kGroupThreads), lane = lane_of_thread();
  Waiting& waiting = memory.waiting[warpgroup];
  if (thread == 0) waiting.count = 0;
  if (lane == 0) waiting.candidates[thread / 32].count = 0;
  Tiles tiles(p, memory, warpgroup);
  if (thread == 0) {
    barrier_init(&memory.landed[warpgroup]);
    tiles.ask();
  }
  const float scale = scale_of_centres();
  const Bounds bounds = split_centres<kDepth>(p, centres, scale, memory.centres);
  __syncthreads();

  int moved = 0;
  for (;;) {
    meet(1 + warpgroup);  // all that wait are in the list
    const int last = __shfl_sync(~0u, waiting.count, 0);
    const bool done = !tiles.there(), settling = last >= kTile || (done && last > 0);
    if (done && !settling) break;
    const int first = settling ? max(0, last - kTile) : tiles.first;

    // Of the lane's rows; and of the warp's point with the number of the lane.
    const float* rows[kRows];
    int which[kRows], label[kRows];
    const float* tile = settling ? p.coordinates : tiles.rows();
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int slot = first + row_of(r);
      which[r] = settling ? (slot < last ? waiting.points[slot] : -1) : slot < p.points ? slot : -1;
      rows[r] = tile + size_t(settling ? max(which[r], 0) : which[r] >= 0 ? row_of(r) : 0) * p.dimensions;
    }
    const int lanes_row = lane % 8 * 4;
    const int upper = __shfl_sync(~0u, which[0], lanes_row), lower = __shfl_sync(~0u, which[1], lanes_row);
    const int point = lane < 8 ? upper : lane < 16 ? lower : -1;
    const int before = point >= 0 ? answer.labels[point] : -1;
    Points<kDepth> points;
    points.read(p, rows, scale);

    if (settling) {
      if (thread < kTile) waiting.nearest.labels[thread] = -1;
      float limits[kRows];
      for (int r = 0; r < kRows; ++r) limits[r] = which[r] >= 0 ? waiting.limits[first + row_of(r)] : INFINITY;
      meet(1 + warpgroup);  // labels are cleared, and all have read how many wait
      if (thread == 0) waiting.count = first;
      multiply(p, points, memory.centres, [&](const Products& sums, int c) {
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
          unsigned candidates = 0;
#pragma unroll
          for (int group = 0; group < kColumns / kOfGroup; ++group) {
            const float4 start = memory.centres.starts(c + group * kOfGroup);
            const float(&eight)[4] = sums[2 * group], (&next)[4] = sums[2 * group + 1];
            const float scores[kOfLane] = {eight[2 * r] + start.x, eight[2 * r + 1] + start.y, next[2 * r] + start.z,
                                           next[2 * r + 1] + start.w};
#pragma unroll
            for (int i = 0; i < kOfLane; ++i) candidates |= unsigned(!(scores[i] < limits[r])) << (group * kOfLane + i);
          }
          waiting.of_warp().note(p, centres, which[r] >= 0 ? candidates : 0, r, c, &waiting.points[first],
                                 waiting.nearest);
        }
      });
      waiting.of_warp().compare(p, centres, &waiting.points[first], waiting.nearest);
      for (int r = 0; r < kRows; ++r) label[r] = waiting.nearest.labels[row_of(r)];
    } else {
      meet(1 + warpgroup);  // the tile is in registers
      tiles.first += tiles.step;
      if (thread == 0) tiles.ask();
      Largest largest[kRows];
      multiply(p, points, memory.centres,
               [&](const Products& sums, int c) { meet_products(sums, memory.centres, c, largest); });
      for (Largest& row : largest) row.combine_quad();
      float scores[kRows][kOfLane];
      points.scores(memory.centres, {largest[0].share(), largest[1].share()}, scores);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        float limit;
        label[r] = decide(scores[r], largest[r], bounds.doubt(points.length[r], points.off[r]), limit);
        if (label[r] < 0 && which[r] >= 0 && lane % 4 == 0) waiting.put(which[r], limit);
      }
    }

    const int upper_label = __shfl_sync(~0u, label[0], lanes_row), lower_label = __shfl_sync(~0u, label[1], lanes_row);
    const int found = point < 0 ? -1 : lane < 8 ? upper_label : lower_label;
    if (found >= 0 && found != before) answer.labels[point] = found, ++moved;
    add_globally<16, 4>(p, point, found, answer);
  }
  for (int distance = 16; distance > 0; distance /= 2) moved += __shfl_down_sync(~0u, moved, distance);
  if (lane == 0 && moved > 0) atomicAdd(answer.changed, moved);
}

template <int kDepth>
void launch(const Problem& p, float* centres, const Answer& answer) {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  auto* assign = assign_by_warpgroups<kDepth>;
  cudaFuncSetAttribute(assign, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Memory)));
  const int tiles = (p.points + kTile - 1) / kTile;
  begin<<<kFinders, kBlockThreads>>>(p, centres, answer);
  assign<<<min((tiles + kWarpgroups - 1) / kWarpgroups, multiprocessors), kBlockThreads, sizeof(Memory)>>>(p, centres,
                                                                                                           answer);
  move_centres(p, answer.sums, answer.counts, centres);
}

extern "C" void iterate(const float* coordinates, float* centres, int* labels, double* sums, int* counts, int* changed,
                        int points, int dimensions, int clusters) {
  const Problem p{coordinates, points, dimensions, clusters};
  const Answer answer{labels, sums, counts, changed};
  at_depth(dimensions, [&](auto depth) { launch<depth.value>(p, centres, answer); });
}
