// Step 3: the terms are computed once for all sweeps between two changes of the parameters.
//
// A visit reads a number for each label instead of computing with each channel. It still looks at every label, and walks
// the site's neighbours for each: that is what step 4 changes.
#include "terms.cuh"

extern "C" long work_size(int sites, int clusters) { return long(sites) * clusters; }
extern "C" void prepare(const float* values, int count, int channels, int clusters, const int* order,
                        double* parameters, double* terms) {
  keep_terms_kernel<<<blocks_for(count), kThreads>>>(Sites{values, count, channels, clusters},
                                                     Parameters(parameters, channels, clusters), order, terms);
}

// `terms` begins at the place of the first thread.
__global__ void visit_kernel(Sites s, const double* terms, const int* order, int threads, int* labels, int* changed) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  const int site = order[thread], present = labels[site];
  int best = present;
  double least = terms[size_t(present) * s.count + thread] + price(s, labels, site, present);
  for (int k = 0; k < s.clusters; ++k) {
    const double energy = terms[size_t(k) * s.count + thread] + price(s, labels, site, k);
    if (energy < least) best = k, least = energy;
  }
  if (best == present) return;
  labels[site] = best;
  atomicAdd(changed, 1);
}

extern "C" void visit(const float* values, int count, int channels, int clusters, const int* starts,
                      const int* neighbours, double beta, double*, const double* terms, const int*, const int* order,
                      int, int first, int threads, int* labels, int* changed) {
  const Sites s{values, count, channels, clusters, starts, neighbours, beta};
  visit_kernel<<<blocks_for(threads), kThreads>>>(s, terms + first, order + first, threads, labels, changed);
}
