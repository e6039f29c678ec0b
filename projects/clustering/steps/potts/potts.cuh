// What the steps of the mixture share: the problem, its energy, and the parameters of the clusters.
//
// Sites have values, and neighbours: pixels of an image, vertices of a mesh. Each cluster is a Gaussian with a mean and a
// variance for each channel, and neighbours tend to share a label: a Potts prior. The energy of labels z is
//
//     E(z) = sum over sites i of  term(i, z[i])  +  beta * (neighbours i, j with z[i] != z[j], each pair once)
//     term(i, k) = sum over channels c of  (x[i][c] - mean[k][c])^2 / (2 variance[k][c]) + log(variance[k][c]) / 2
//
// which is, but for a constant, minus the logarithm of the probability of labels and values together.
//
// One iteration gives each cluster the parameters that are best for its sites, and each site the label that is best for
// its neighbours' labels (iterated conditional modes; Besag: On the statistical analysis of dirty pictures, 1986). Neither
// can make the energy larger, as long as no two neighbours change at once: of the two, each would count on the label that
// the other one is giving up. So sites have colours, no neighbours share one, and the colours take turns.
//
// Energies are in double precision: what a site gains can be less than a rounding of single precision.
#pragma once

#include <cuda_runtime.h>

constexpr int kThreads = 256;

inline int blocks_for(int threads) { return (threads + kThreads - 1) / kThreads; }

struct Sites {
  const float* values;  // of each site, channel by channel
  int count, channels, clusters;
  const int *starts, *neighbours;  // the neighbours of site i: neighbours[starts[i]] to [starts[i + 1] - 1]
  double beta;
};

// For each cluster and channel the mean and 1 / (2 variance), and for each cluster half the sum of log(variance).
struct Parameters {
  double *means, *factors, *logarithms;
  Parameters(double* memory, int channels, int clusters)
      : means(memory), factors(memory + clusters * channels), logarithms(memory + 2 * clusters * channels) {}
};

__device__ inline double term(const Sites& s, const Parameters& p, int site, int cluster) {
  double sum = p.logarithms[cluster];
  for (int c = 0; c < s.channels; ++c) {
    const double along = s.values[size_t(site) * s.channels + c] - p.means[cluster * s.channels + c];
    sum += along * along * p.factors[cluster * s.channels + c];
  }
  return sum;
}

// What the prior asks of a site for a label.
__device__ inline double price(const Sites& s, const int* labels, int site, int label) {
  int unlike = 0;
  for (int n = s.starts[site]; n < s.starts[site + 1]; ++n) unlike += labels[s.neighbours[n]] != label;
  return s.beta * unlike;
}

// --- the parameters --------------------------------------------------------------------------------------------------

// Adds up, for each cluster and channel, the values of its sites, or with means their squared distances from these; and
// the sites. By sums of each block in shared memory.
__global__ void add_up_kernel(Sites s, const int* labels, const double* means, double* sums, int* counts) {
  extern __shared__ double block_sums[];
  const int size = s.clusters * s.channels;
  int* block_counts = reinterpret_cast<int*>(block_sums + size);
  for (int i = threadIdx.x; i < size; i += blockDim.x) block_sums[i] = 0;
  for (int i = threadIdx.x; i < s.clusters; i += blockDim.x) block_counts[i] = 0;
  __syncthreads();
  for (int site = blockIdx.x * blockDim.x + threadIdx.x; site < s.count; site += gridDim.x * blockDim.x) {
    const int label = labels[site];
    atomicAdd(&block_counts[label], 1);
    for (int c = 0; c < s.channels; ++c) {
      const double value = s.values[size_t(site) * s.channels + c];
      const double along = means ? value - means[label * s.channels + c] : 0;
      atomicAdd(&block_sums[label * s.channels + c], means ? along * along : value);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    if (block_sums[i] != 0) atomicAdd(&sums[i], block_sums[i]);
  for (int i = threadIdx.x; i < s.clusters; i += blockDim.x)
    if (block_counts[i] != 0) atomicAdd(&counts[i], block_counts[i]);
}

// A cluster without sites keeps its parameters.
__global__ void set_means_kernel(Sites s, const double* sums, const int* counts, double* means) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.clusters * s.channels) return;
  const int count = counts[i / s.channels];
  if (count > 0) means[i] = sums[i] / count;
}
// The least variance keeps a cluster of like sites from a density without bound.
__global__ void set_variances_kernel(Sites s, const double* sums, const int* counts, double least, double* variances,
                                     Parameters p) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= s.clusters) return;
  double logarithm = 0;
  for (int i = k * s.channels; i < (k + 1) * s.channels; ++i) {
    if (counts[k] > 0) variances[i] = fmax(sums[i] / counts[k], least);
    p.factors[i] = 0.5 / variances[i];
    logarithm += log(variances[i]);
  }
  p.logarithms[k] = 0.5 * logarithm;
}
__global__ void clear_kernel(double* sums, int size, int* counts, int clusters) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) sums[i] = 0;
  if (i < clusters) counts[i] = 0;
}

// Called from Python, as `measure` is. `sums` and `counts`: memory for clusters * channels and 2 * clusters numbers.
inline void fit(const float* values, int count, int channels, int clusters, const int* labels, double least,
                double* parameters, double* variances, double* sums, int* counts) {
  constexpr int kMostBlocks = 128;
  const Sites s{values, count, channels, clusters};
  const Parameters p(parameters, channels, clusters);
  const int size = clusters * channels, blocks = min(blocks_for(count), kMostBlocks);
  const size_t shared = size * sizeof(double) + clusters * sizeof(int);
  clear_kernel<<<blocks_for(max(size, 2 * clusters)), kThreads>>>(sums, size, counts, 2 * clusters);
  add_up_kernel<<<blocks, kThreads, shared>>>(s, labels, nullptr, sums, counts);
  set_means_kernel<<<blocks_for(size), kThreads>>>(s, sums, counts, p.means);
  clear_kernel<<<blocks_for(size), kThreads>>>(sums, size, counts, 0);
  add_up_kernel<<<blocks, kThreads, shared>>>(s, labels, p.means, sums, counts + clusters);
  set_variances_kernel<<<blocks_for(clusters), kThreads>>>(s, sums, counts, least, variances, p);
}

// --- the energy --------------------------------------------------------------------------------------------------------

// energy[0]: the sum of terms; energy[1]: that of the prior.
__global__ void energy_kernel(Sites s, Parameters p, const int* labels, double* energy) {
  __shared__ double terms[kThreads], prices[kThreads];
  const int site = blockIdx.x * blockDim.x + threadIdx.x;
  terms[threadIdx.x] = site < s.count ? term(s, p, site, labels[site]) : 0;
  // Each pair is seen from both of its sites.
  prices[threadIdx.x] = site < s.count ? 0.5 * price(s, labels, site, labels[site]) : 0;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    terms[threadIdx.x] += terms[threadIdx.x + half];
    prices[threadIdx.x] += prices[threadIdx.x + half];
  }
  if (threadIdx.x == 0) {
    atomicAdd(&energy[0], terms[0]);
    atomicAdd(&energy[1], prices[0]);
  }
}

inline void measure(const float* values, int count, int channels, int clusters, const int* starts, const int* neighbours,
                    double beta, double* parameters, const int* labels, double* energy) {
  const Sites s{values, count, channels, clusters, starts, neighbours, beta};
  clear_kernel<<<1, 2>>>(energy, 2, nullptr, 0);
  energy_kernel<<<blocks_for(count), kThreads>>>(s, Parameters(parameters, channels, clusters), labels, energy);
}
