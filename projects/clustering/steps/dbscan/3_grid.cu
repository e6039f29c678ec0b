// Step 3: near points from the cells of a grid.
//
// Points are sorted into cells whose sides are as long as the reach, so that a near point lies in the same cell or in one
// beside it: three runs of sorted points in a plane. Distances to compute are then as many as there are points around,
// not as there are points. In dense data most of these are near, and already in one set: that is what step 4 changes.
#include "grid.cuh"

// A little longer than the reach: a distance that rounds to it may be longer.
constexpr double kSide = 1.00001;

extern "C" long work_size(int points, int dimensions) { return GridMemory::size(points, dimensions); }

extern "C" void find_cores(const float* coordinates, int points, int dimensions, float reach, int least, int* roots,
                           int* work) {
  const Points p{coordinates, points, dimensions, reach, least};
  find_cores_kernel<<<blocks_for(points), kThreads>>>(p, make_grid(p, reach * kSide, work), roots);
}

extern "C" void join(const float* coordinates, int points, int dimensions, float reach, int least, int* roots,
                     int* work, int*) {
  const Points p{coordinates, points, dimensions, reach, least};
  join_kernel<<<blocks_for(points), kThreads>>>(p, GridMemory(work, points).grid(), roots);
  flatten_kernel<<<blocks_for(points), kThreads>>>(p, roots);
}

extern "C" void give_labels(const float* coordinates, int points, int dimensions, float reach, int least,
                            const int* roots, int* work, int* labels) {
  const Points p{coordinates, points, dimensions, reach, least};
  label(p, GridMemory(work, points).grid(), roots, work, labels);
}
