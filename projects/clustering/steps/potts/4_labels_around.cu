// Step 4: only labels that can be the best.
//
// A label that no neighbour has pays for all of them. Of these labels only the one with the least term can win, and it is
// known since the terms are. So a visit looks at that one, at its own and at those of its neighbours: five on a grid,
// however many clusters there are.
#include "terms.cuh"

// Behind the terms: for each place the label with the least, two to a number of eight bytes.
extern "C" long work_size(int sites, int clusters) { return long(sites) * clusters + (sites + 1) / 2; }

__device__ __host__ inline int* labels_behind(double* terms, int count, int clusters) {
  return reinterpret_cast<int*>(terms + size_t(count) * clusters);
}

__global__ void find_least_kernel(Sites s, const double* terms, int* least) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= s.count) return;
  int best = 0;
  for (int k = 1; k < s.clusters; ++k)
    if (terms[size_t(k) * s.count + place] < terms[size_t(best) * s.count + place]) best = k;
  least[place] = best;
}

extern "C" void prepare(const float* values, int count, int channels, int clusters, const int* order,
                        double* parameters, double* terms) {
  const Sites s{values, count, channels, clusters};
  keep_terms_kernel<<<blocks_for(count), kThreads>>>(s, Parameters(parameters, channels, clusters), order, terms);
  find_least_kernel<<<blocks_for(count), kThreads>>>(s, terms, labels_behind(terms, count, clusters));
}

// `terms` and `least_terms` begin at the place of the first thread.
__global__ void visit_kernel(Sites s, const double* terms, const int* least_terms, const int* order, int threads,
                             int* labels, int* changed) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  const int site = order[thread], present = labels[site];
  int best = present;
  double least = terms[size_t(present) * s.count + thread] + price(s, labels, site, present);
  // Of labels with equal energies the first wins, as if all were looked at in their order; but the present one stays.
  const auto look_at = [&](int label) {
    if (label == best || label == present) return;
    const double energy = terms[size_t(label) * s.count + thread] + price(s, labels, site, label);
    if (energy < least || (energy == least && best != present && label < best)) best = label, least = energy;
  };
  look_at(least_terms[thread]);
  for (int n = s.starts[site]; n < s.starts[site + 1]; ++n) look_at(labels[s.neighbours[n]]);
  if (best == present) return;
  labels[site] = best;
  atomicAdd(changed, 1);
}

extern "C" void visit(const float* values, int count, int channels, int clusters, const int* starts,
                      const int* neighbours, double beta, double*, double* terms, const int*, const int* order, int,
                      int first, int threads, int* labels, int* changed) {
  const Sites s{values, count, channels, clusters, starts, neighbours, beta};
  visit_kernel<<<blocks_for(threads), kThreads>>>(s, terms + first, labels_behind(terms, count, clusters) + first,
                                                  order + first, threads, labels, changed);
}
