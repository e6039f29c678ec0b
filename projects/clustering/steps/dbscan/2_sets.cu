// Step 2: sets instead of passes.
//
// Two near cores become one set at once, by one compare-and-swap of a root: the forest of Tarjan's union-find, which
// many threads may work on at the same time. One pass over all pairs is enough, however long the chains of cores are.
// What is left are the pairs themselves, of which nearly all are far apart: that is what step 3 changes.
#include "all_pairs.cuh"

extern "C" long work_size(int points, int) { return LabelMemory::size(points); }

extern "C" void find_cores(const float* coordinates, int points, int dimensions, float reach, int least, int* roots,
                           int*) {
  find_cores_kernel<<<blocks_for(points), kThreads>>>(Points{coordinates, points, dimensions, reach, least},
                                                      AllPairs(), roots);
}

extern "C" void join(const float* coordinates, int points, int dimensions, float reach, int least, int* roots, int*,
                     int*) {
  const Points p{coordinates, points, dimensions, reach, least};
  join_kernel<<<blocks_for(points), kThreads>>>(p, AllPairs(), roots);
  flatten_kernel<<<blocks_for(points), kThreads>>>(p, roots);
}

extern "C" void give_labels(const float* coordinates, int points, int dimensions, float reach, int least,
                            const int* roots, int* work, int* labels) {
  label(Points{coordinates, points, dimensions, reach, least}, AllPairs(), roots, work, labels);
}
