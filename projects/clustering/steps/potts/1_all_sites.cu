// Step 1: a thread for each site, and the colours take turns.
//
// Each launch has a thread for every site, and those of another colour return at once. A site looks at every label: its
// term, from the values, and its neighbours. On a grid with two colours half of the lanes of each warp have nothing to do:
// that is what step 2 changes.
#include "potts.cuh"

extern "C" long work_size(int, int) { return 1; }
extern "C" void prepare(const float*, int, int, int, const int*, double*, double*) {}

__global__ void visit_kernel(Sites s, Parameters p, const int* colours, int colour, int* labels, int* changed) {
  const int site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= s.count || colours[site] != colour) return;
  const int present = labels[site];
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
                      const int* neighbours, double beta, double* parameters, const double*, const int* colours,
                      const int*, int colour, int, int, int* labels, int* changed) {
  const Sites s{values, count, channels, clusters, starts, neighbours, beta};
  visit_kernel<<<blocks_for(count), kThreads>>>(s, Parameters(parameters, channels, clusters), colours, colour, labels,
                                                changed);
}
