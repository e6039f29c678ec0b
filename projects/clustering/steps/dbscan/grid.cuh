// Near points by a grid of cells over the first three coordinates, or fewer where there are fewer.
//
//     y ▲  ┌────┬────┬────┐     points are sorted by cell, x fastest, so the cells of a row that are within reach
//       │  │ r0 │ r0 │ r0 │     are one run of sorted points: three runs in a plane, nine in space
//       │  ├────┼────┼────┤
//       │  │ r1 │ *  │ r1 │
//       │  ├────┼────┼────┤
//       │  │ r2 │ r2 │ r2 │
//          └────┴────┴────┘► x
//
// There are at most two cells for each point. Where that is too few for cells of the wanted side, an axis gets fewer,
// longer ones: slower, and as right.
#pragma once

#include "dbscan.cuh"

constexpr int kAxes = 3;

struct Cell {
  int at[kAxes];
};

// Lies in memory of the GPU, because it depends on the points.
struct GridShape {
  double low[kAxes], side[kAxes];
  int count[kAxes];  // cells along each axis; 1 along those that do not exist
  int within[kAxes];  // so many cells away a near point can be
  int as_wanted;     // whether no axis has longer cells than wanted

  __device__ int cells() const { return count[0] * count[1] * count[2]; }
  __device__ int number(const Cell& cell) const {
    return (cell.at[2] * count[1] + cell.at[1]) * count[0] + cell.at[0];
  }
  // In double precision, so that points of one cell are as near to each other as its sides say.
  __device__ Cell cell(const Points& p, int point) const {
    Cell cell{};
    for (int a = 0; a < min(p.dimensions, kAxes); ++a)
      cell.at[a] = min(int((double(p.at(point)[a]) - low[a]) / side[a]), count[a] - 1);
    return cell;
  }
};

// By one block, from the extent of the points.
__global__ void shape_kernel(Points p, double wanted_side, int most_cells, GridShape* shape) {
  __shared__ float lowest[kThreads], highest[kThreads];
  const int axes = min(p.dimensions, kAxes);
  for (int a = 0; a < kAxes; ++a) {
    if (a >= axes) {
      if (threadIdx.x == 0) shape->low[a] = 0, shape->side[a] = 1, shape->count[a] = 1, shape->within[a] = 0;
      continue;
    }
    float low = p.at(0)[a], high = low;
    for (int point = threadIdx.x; point < p.count; point += blockDim.x)
      low = fminf(low, p.at(point)[a]), high = fmaxf(high, p.at(point)[a]);
    lowest[threadIdx.x] = low, highest[threadIdx.x] = high;
    for (int half = kThreads / 2; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x >= half) continue;
      lowest[threadIdx.x] = fminf(lowest[threadIdx.x], lowest[threadIdx.x + half]);
      highest[threadIdx.x] = fmaxf(highest[threadIdx.x], highest[threadIdx.x + half]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      const double extent = double(highest[0]) - double(lowest[0]);
      const double most = axes == 1   ? double(most_cells)
                          : axes == 2 ? floor(sqrt(double(most_cells)))
                                      : floor(cbrt(double(most_cells)));
      const double wanted = floor(extent / wanted_side) + 1;
      shape->low[a] = lowest[0];
      shape->count[a] = int(fmin(wanted, most));
      shape->side[a] = wanted <= most ? wanted_side : extent / most;
      shape->within[a] = int(ceil(p.reach / shape->side[a]));
    }
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  shape->as_wanted = 1;
  for (int a = 0; a < axes; ++a)
    if (shape->side[a] != wanted_side) shape->as_wanted = 0;
}

__global__ void clear_kernel(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = 0;
}
__global__ void count_kernel(Points p, const GridShape* shape, int* starts) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point < p.count) atomicAdd(&starts[shape->number(shape->cell(p, point))], 1);
}
__global__ void sort_kernel(Points p, const GridShape* shape, const int* starts, int* filled, int* order,
                            float* sorted) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= p.count) return;
  const int cell = shape->number(shape->cell(p, point));
  const int place = starts[cell] + atomicAdd(&filled[cell], 1);
  order[place] = point;
  for (int d = 0; d < p.dimensions; ++d) sorted[size_t(place) * p.dimensions + d] = p.at(point)[d];
}

struct Grid {
  const GridShape* shape;
  const int* starts;    // of each cell, and of the one behind the last: its first place
  const int* order;     // the point at each place
  const float* sorted;  // the coordinates at each place

  // Neighbouring threads have neighbouring points.
  __device__ int point(const Points&, int thread) const { return order[thread]; }

  // row(first, last): the places of a run of cells.
  template <class Row>
  __device__ void visit_rows(const Points& p, int point, Row row) const {
    const Cell cell = shape->cell(p, point);
    int from[kAxes], to[kAxes];
    for (int a = 0; a < kAxes; ++a) {
      from[a] = max(cell.at[a] - shape->within[a], 0);
      to[a] = min(cell.at[a] + shape->within[a], shape->count[a] - 1);
    }
    for (int z = from[2]; z <= to[2]; ++z)
      for (int y = from[1]; y <= to[1]; ++y)
        if (!row(shape->number({{from[0], y, z}}), shape->number({{to[0], y, z}}))) return;
  }

  template <class Visitor>
  __device__ void visit(const Points& p, int point, Visitor visitor) const {
    visit_rows(p, point, [&](int first_cell, int last_cell) {
      for (int place = starts[first_cell]; place < starts[last_cell + 1]; ++place)
        if (near(p, p.at(point), sorted + size_t(place) * p.dimensions) && !visitor(order[place])) return false;
      return true;
    });
  }
};

// The memory behind LabelMemory, as numbers of 32 bits.
struct GridMemory {
  GridShape* shape;
  int *starts, *filled, *order, *totals;
  float* sorted;

  static constexpr int kShapeSize = (sizeof(GridShape) + sizeof(int) - 1) / sizeof(int);
  static int most_cells(int points) { return 2 * points; }
  // At an even number: the shape has numbers of eight bytes.
  static long begin(int points) { return (LabelMemory::size(points) + 1) / 2 * 2; }

  GridMemory(int* work, int points) {
    int* at = work + begin(points);
    const auto take = [&](int size) { return (at += size) - size; };
    shape = reinterpret_cast<GridShape*>(take(kShapeSize));
    starts = take(most_cells(points) + 1);
    filled = take(most_cells(points));
    order = take(points);
    totals = take(tiles_for(most_cells(points) + 1));
    sorted = reinterpret_cast<float*>(at);
  }
  static long size(int points, int dimensions) {
    return begin(points) + kShapeSize + 2 * most_cells(points) + 1 + points + tiles_for(most_cells(points) + 1) +
           long(points) * dimensions;
  }
  Grid grid() const { return {shape, starts, order, sorted}; }
};

inline Grid make_grid(const Points& p, double side, int* work) {
  const GridMemory memory(work, p.count);
  const int cells = GridMemory::most_cells(p.count);
  shape_kernel<<<1, kThreads>>>(p, side, cells, memory.shape);
  clear_kernel<<<blocks_for(2 * cells + 1), kThreads>>>(memory.starts, 2 * cells + 1);  // and `filled`
  count_kernel<<<blocks_for(p.count), kThreads>>>(p, memory.shape, memory.starts);
  scan(memory.starts, cells + 1, memory.totals);
  sort_kernel<<<blocks_for(p.count), kThreads>>>(p, memory.shape, memory.starts, memory.filled, memory.order,
                                                 memory.sorted);
  return memory.grid();
}
