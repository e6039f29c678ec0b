// Step 1: a thread for each point; roots spread from core to core.
//
// Every thread compares its point with all points. Each core begins as its own root and takes the smallest root of the
// cores near it, again and again until no root changes. A chain of a thousand cores takes a thousand passes, and each of
// them computes all distances anew: that is what step 2 changes.
#include "all_pairs.cuh"

// Into other memory than it reads, so that a pass does not depend on the order of its threads.
__global__ void spread_kernel(Points p, const int* roots, int* next, int* changed) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= p.count) return;
  int root = roots[point];
  if (root != kNoRoot)
    AllPairs().visit(p, point, [&](int other) {
      if (roots[other] != kNoRoot) root = min(root, roots[other]);
      return true;
    });
  next[point] = root;
  if (root != roots[point]) atomicAdd(changed, 1);
}

extern "C" long work_size(int points, int) { return LabelMemory::size(points) + points; }

extern "C" void find_cores(const float* coordinates, int points, int dimensions, float reach, int least, int* roots,
                           int*) {
  find_cores_kernel<<<blocks_for(points), kThreads>>>(Points{coordinates, points, dimensions, reach, least},
                                                      AllPairs(), roots);
}

extern "C" void join(const float* coordinates, int points, int dimensions, float reach, int least, int* roots,
                     int* work, int* changed) {
  int* next = work + LabelMemory::size(points);
  spread_kernel<<<blocks_for(points), kThreads>>>(Points{coordinates, points, dimensions, reach, least}, roots, next,
                                                  changed);
  cudaMemcpyAsync(roots, next, points * sizeof(int), cudaMemcpyDefault);
}

extern "C" void give_labels(const float* coordinates, int points, int dimensions, float reach, int least,
                            const int* roots, int* work, int* labels) {
  label(Points{coordinates, points, dimensions, reach, least}, AllPairs(), roots, work, labels);
}
