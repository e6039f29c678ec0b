// Step 2: threads for the sites of one colour alone.
//
// Sites are listed by colour, so every lane has a site, and a launch has as many threads as there is work. In the model
// this loses on small images (README.md). The terms are
// still computed from the values at every visit, although the parameters have not changed since the last sweep: that is
// what step 3 changes.
#include "potts.cuh"

extern "C" long work_size(int, int) { return 1; }
extern "C" void prepare(const float*, int, int, int, const int*, double*, double*) {}

__global__ void visit_kernel(Sites s, Parameters p, const int* order, int threads, int* labels, int* changed) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  const int site = order[thread], present = labels[site];
  int best = present;
  double least = term(s, p, site, present) + price(s, labels, site, present);
  for (int k = 0; k < s.clusters; ++k) {
    const double energy = term(s, p, site, k) + price(s, labels, site, k);
    if (energy < least) best = k, least = energy;
  }
  if (best == present) return;
  labels[site] = best;
  atomicAdd(changed, 1);
}

extern "C" void visit(const float* values, int count, int channels, int clusters, const int* starts,
                      const int* neighbours, double beta, double* parameters, const double*, const int*,
                      const int* order, int, int first, int threads, int* labels, int* changed) {
  const Sites s{values, count, channels, clusters, starts, neighbours, beta};
  visit_kernel<<<blocks_for(threads), kThreads>>>(s, Parameters(parameters, channels, clusters), order + first, threads,
                                                  labels, changed);
}
