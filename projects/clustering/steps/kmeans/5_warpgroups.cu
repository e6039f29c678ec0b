// Step 5: one product in half precision, by warpgroups (sm_90a).
//
// Step 4 multiplies three times, since it wants few near ties. One product in halves has a third of the work and twice
// bfloat16's bits, at 2^-11 of a coordinate: most points have no second centre as near as that. The rest, a few in a
// hundred, wait as in step 4, and are decided in double precision (halves.cuh has the bound).
//
// All centres, up to 1,024, stay in shared memory; a warpgroup multiplies 64 points by 128 of them at a time, straight
// from there, and looks through the products before while the next are under way. Looking through is what a tensor
// core waits for: a maximum takes half of the rate of an addition. So four centres of a lane are compared at once, and
// only their maximum is met with the largest and the second largest so far, its group's number in its last bits. At the
// end the four scores of the best group are worked out again, in fp32, to find the best of them.
#include "answer.cuh"
#include "halves.cuh"

// Centres that may be the nearest of a warp's points, to be compared in double precision by the whole warp.
struct Candidates {
  static constexpr int kEnough = 32, kMost = kEnough + 32 * kColumns / 4;
  int count;
  unsigned short which[kMost];  // 16 times the centre, and the point of the warp
};

// A warpgroup's points whose label is not certain yet, and what is found of a tile of them.
struct Waiting {
  int count;
  int points[2 * kTile];
  float limits[2 * kTile];  // a centre whose score is below it is not the nearest
  double distances[kTile];
  int labels[kTile];  // -1: none yet
  Candidates candidates[kGroupThreads / 32];

  __device__ void put(int point, float limit) {
    const int slot = atomicAdd(&count, 1);
    points[slot] = point, limits[slot] = limit;
  }

  // By a warp, whose points wait from `first` on: notes the candidates among products with centres, a bit for each
  // centre of a lane's row.
  __device__ void note(const Problem& p, const float* centres, unsigned bits, int r, int c, int first, int last) {
    Candidates& mine = candidates[threadIdx.x % kGroupThreads / 32];
    for (; bits != 0; bits &= bits - 1) {
      const int i = __ffs(int(bits)) - 1, centre = c + i / 2 * 8 + lane_of_thread() % 4 * 2 + i % 2;
      if (first + row_of(r) < last && centre < p.clusters)
        mine.which[atomicAdd(&mine.count, 1)] = static_cast<unsigned short>(centre * 16 + row_of(r) % 16);
    }
    __syncwarp();
    if (mine.count > Candidates::kEnough) compare(p, centres, first);
  }

  // Compares them, four at a time, eight lanes for each.
  __device__ void compare(const Problem& p, const float* centres, int first) {
    const int warp = threadIdx.x % kGroupThreads / 32, lane = lane_of_thread(), group = lane / 8;
    Candidates& mine = candidates[warp];
    const int count = mine.count;
    for (int begin = 0; begin < count; begin += 4) {
      const int at = min(begin + group, count - 1), row = warp * 16 + mine.which[at] % 16, centre = mine.which[at] / 16;
      const float* x = &p.coordinates[size_t(points[first + row]) * p.dimensions];
      const float* y = &centres[size_t(centre) * p.dimensions];
      double sum = 0;
#pragma unroll 4
      for (int d = lane % 8; d < p.dimensions; d += 8) {
        const double along = double(x[d]) - double(y[d]);
        sum += along * along;
      }
      for (int lanes = 1; lanes < 8; lanes *= 2) sum += __shfl_xor_sync(~0u, sum, lanes);
      for (int turn = 0; turn < 4; ++turn) {  // two may be of one point
        if (lane == turn * 8 && begin + group < count) meet(row, sum, centre);
        __syncwarp();
      }
    }
    if (lane == 0) mine.count = 0;
    __syncwarp();
  }

  __device__ void meet(int row, double distance, int c) {
    if (labels[row] >= 0 && (distance > distances[row] || (distance == distances[row] && c > labels[row]))) return;
    distances[row] = distance, labels[row] = c;
  }
};

struct Memory {
  Centres centres;
  Waiting waiting[kWarpgroups];
};

__global__ void __launch_bounds__(kBlockThreads) begin(Problem p, const float* centres, Answer answer) {
  begin_sums(p, answer);
  float largest = 0;
  for (int i = blockIdx.x * kBlockThreads + threadIdx.x; i < p.clusters * p.dimensions; i += kFinders * kBlockThreads)
    largest = fmaxf(largest, fabsf(centres[i]));
  largest = block_max(largest);
  if (threadIdx.x == 0) largest_of_block[blockIdx.x] = largest;
}

// The nearest of the four centres of the best group, or -1 if another may be as near. limit: see Waiting.
template <int kDepth>
__device__ inline int decide(const Points<kDepth>& points, const Centres& centres, const Bounds& bounds, int r,
                             const Largest& largest, float& limit) {
  float best = -FLT_MAX, second = largest.second;
  int label = -1;
#pragma unroll
  for (int i = 0; i < 2 * kEights; ++i) {
    const int c = largest.centre(i);
    const float score = points.score(centres, r, c);
    second = fmaxf(second, fminf(best, score));
    if (score > best) best = score, label = c;
  }
  const float doubt = bounds.doubt(points.length[r], points.off[r]);
  limit = best - doubt;
  return best - second > doubt ? label : -1;
}

template <int kDepth>
__global__ void __launch_bounds__(kBlockThreads, 1)
    assign_by_warpgroups(Problem p, const float* centres, Answer answer) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  // Of the first lane, so that the compiler knows that a warp's lanes agree: products want that.
  const int warpgroup = __shfl_sync(~0u, int(threadIdx.x) / kGroupThreads, 0), lane = lane_of_thread();
  Waiting& waiting = memory.waiting[warpgroup];
  if (threadIdx.x % kGroupThreads == 0) waiting.count = 0;
  if (lane == 0) waiting.candidates[threadIdx.x % kGroupThreads / 32].count = 0;
  const float scale = scale_of_centres();
  const Bounds bounds = split_centres<kDepth>(p, centres, scale, memory.centres);
  __syncthreads();

  const int tiles = (p.points + kTile - 1) / kTile;
  int moved = 0;
  for (int tile = blockIdx.x * kWarpgroups + warpgroup;;) {
    meet(1 + warpgroup);  // all that wait are in the list
    const int last = __shfl_sync(~0u, waiting.count, 0);
    const bool done = tile >= tiles, settling = last >= kTile || (done && last > 0);
    if (done && !settling) break;
    const int first = settling ? max(0, last - kTile) : tile * kTile;
    int which[kRows];
    Points<kDepth> points;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int slot = first + row_of(r);
      which[r] = settling ? (slot < last ? waiting.points[slot] : -1) : slot < p.points ? slot : -1;
    }
    points.read(p, which, scale);

    int label[kRows];
    if (settling) {
      if (threadIdx.x % kGroupThreads < kTile) waiting.labels[threadIdx.x % kGroupThreads] = -1;
      float limits[kRows];
      for (int r = 0; r < kRows; ++r) limits[r] = which[r] >= 0 ? waiting.limits[first + row_of(r)] : FLT_MAX;
      meet(1 + warpgroup);  // labels are cleared, and all have read how many wait
      if (threadIdx.x % kGroupThreads == 0) waiting.count = first;
      multiply(p, points, memory.centres, [&](const Products& sums, int c) {
        const float* start = &memory.centres.start[c + lane % 4 * 2];
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
          unsigned candidates = 0;
#pragma unroll
          for (int i = 0; i < kColumns / 4; ++i)
            candidates |= unsigned(!(sums[i / 2][2 * r + i % 2] + start[i / 2 * 8 + i % 2] < limits[r])) << i;
          waiting.note(p, centres, candidates, r, c, first, last);
        }
      });
      waiting.compare(p, centres, first);
      for (int r = 0; r < kRows; ++r) label[r] = waiting.labels[row_of(r)];
    } else {
      Largest largest[kRows];
      multiply(p, points, memory.centres,
               [&](const Products& sums, int c) { meet_products(sums, memory.centres, c, largest); });
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        largest[r].combine_quad();
        float limit;
        label[r] = decide(points, memory.centres, bounds, r, largest[r], limit);
        if (label[r] < 0 && which[r] >= 0 && lane % 4 == 0) waiting.put(which[r], limit);
      }
      tile += gridDim.x * kWarpgroups;
    }

    // Lane i has the warp's i-th point.
    const int row = lane % 8 * 4;
    const int upper = __shfl_sync(~0u, which[0], row), lower = __shfl_sync(~0u, which[1], row);
    const int upper_label = __shfl_sync(~0u, label[0], row), lower_label = __shfl_sync(~0u, label[1], row);
    const int point = lane < 8 ? upper : lower;
    const int found = lane >= 16 || point < 0 ? -1 : lane < 8 ? upper_label : lower_label;
    if (found >= 0) moved += keep(answer.labels, point, found);
    add_globally<16>(p, point, found, answer);
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
  const int blocks = (p.points + kWarpgroups * kTile - 1) / (kWarpgroups * kTile);
  begin<<<kFinders, kBlockThreads>>>(p, centres, answer);
  assign<<<min(blocks, multiprocessors), kBlockThreads, sizeof(Memory)>>>(p, centres, answer);
  move_centres(p, answer.sums, answer.counts, centres);
}

extern "C" void iterate(const float* coordinates, float* centres, int* labels, double* sums, int* counts, int* changed,
                        int points, int dimensions, int clusters) {
  const Problem p{coordinates, points, dimensions, clusters};
  const Answer answer{labels, sums, counts, changed};
  if (dimensions <= 16)
    launch<16>(p, centres, answer);
  else if (dimensions <= 32)
    launch<32>(p, centres, answer);
  else
    launch<64>(p, centres, answer);
}
