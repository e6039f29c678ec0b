// Step 4: cells whose points are all near each other.
//
// A cell with a diagonal no longer than the reach needs no distances inside. Are there enough points in it? Then all are
// cores, and of one cluster. Between two such cells one near pair is enough: once a point's set is that of another cell,
// the rest of that cell is passed by. (The grid is that of Gunawan, A faster algorithm for DBSCAN, 2013.)
//
// Only for one to three coordinates: with more, points of one cell may be far apart. There, and where cells had to be
// longer than wanted, this is step 3 with another side.
#include "grid.cuh"

// A little shorter than the reach over the root of the dimensions, because distances are rounded.
constexpr double kDiagonal = 0.99999;

__device__ bool has_core_cells(const Points& p, const Grid& grid) {
  return p.dimensions <= kAxes && grid.shape->as_wanted;
}
__device__ bool is_core_cell(const Points& p, const Grid& grid, int cell) {
  return grid.starts[cell + 1] - grid.starts[cell] >= p.least;
}

__global__ void find_cores_by_cells_kernel(Points p, Grid grid, int* roots) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= p.count) return;
  const int point = grid.point(p, thread);
  int found = 0;
  if (has_core_cells(p, grid) && is_core_cell(p, grid, grid.shape->number(grid.shape->cell(p, point))))
    found = p.least;
  else
    grid.visit(p, point, [&](int) { return ++found < p.least; });
  roots[point] = found >= p.least ? point : kNoRoot;
}

__global__ void join_by_cells_kernel(Points p, Grid grid, int* roots) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= p.count) return;
  const int point = grid.point(p, thread);
  if (load(&roots[point]) == kNoRoot) return;
  const bool core_cells = has_core_cells(p, grid);
  const int own = grid.shape->number(grid.shape->cell(p, point));
  grid.visit_rows(p, point, [&](int first_cell, int last_cell) {
    for (int cell = first_cell; cell <= last_cell; ++cell) {
      const int begin = grid.starts[cell], end = grid.starts[cell + 1];
      const bool one_set = core_cells && is_core_cell(p, grid, cell);
      if (one_set && cell == own) {
        unite(roots, point, grid.order[begin]);
        continue;
      }
      // The points of such a cell are united by their own threads, at some time of this launch.
      if (one_set && root_of(roots, point) == root_of(roots, grid.order[begin])) continue;
      for (int place = begin; place < end; ++place) {
        const int other = grid.order[place];
        if (!one_set && other >= point) continue;  // the other thread sees this pair
        if (load(&roots[other]) == kNoRoot) continue;
        if (!near(p, p.at(point), grid.sorted + size_t(place) * p.dimensions)) continue;
        unite(roots, point, other);
        if (one_set) break;
      }
    }
    return true;
  });
}

extern "C" long work_size(int points, int dimensions) { return GridMemory::size(points, dimensions); }

extern "C" void find_cores(const float* coordinates, int points, int dimensions, float reach, int least, int* roots,
                           int* work) {
  const Points p{coordinates, points, dimensions, reach, least};
  const double side = reach * kDiagonal / sqrt(double(min(dimensions, kAxes)));
  find_cores_by_cells_kernel<<<blocks_for(points), kThreads>>>(p, make_grid(p, side, work), roots);
}

extern "C" void join(const float* coordinates, int points, int dimensions, float reach, int least, int* roots,
                     int* work, int*) {
  const Points p{coordinates, points, dimensions, reach, least};
  join_by_cells_kernel<<<blocks_for(points), kThreads>>>(p, GridMemory(work, points).grid(), roots);
  flatten_kernel<<<blocks_for(points), kThreads>>>(p, roots);
}

extern "C" void give_labels(const float* coordinates, int points, int dimensions, float reach, int least,
                            const int* roots, int* work, int* labels) {
  const Points p{coordinates, points, dimensions, reach, least};
  label(p, GridMemory(work, points).grid(), roots, work, labels);
}
