// For references: how often each digit of eight bits occurs in each of 1,024 parts of the keys, and where the next key
// of a part with that digit goes.
#pragma once

namespace {

constexpr int kParts = 1024, kBins = 256;
__device__ unsigned places[kBins * kParts];

__device__ size_t part_begin(int part, int n) { return size_t(n) * part / kParts; }

__global__ void count(const unsigned* keys, int n, int shift) {
  __shared__ unsigned bins[kBins];
  for (int bin = int(threadIdx.x); bin < kBins; bin += 32) bins[bin] = 0;
  __syncwarp();
  for (size_t i = part_begin(int(blockIdx.x), n) + threadIdx.x; i < part_begin(int(blockIdx.x) + 1, n); i += 32)
    atomicAdd(&bins[keys[i] >> shift & 255], 1u);
  __syncwarp();
  for (int bin = int(threadIdx.x); bin < kBins; bin += 32) places[bin * kParts + blockIdx.x] = bins[bin];
}

__global__ void add_up() {
  __shared__ unsigned sums[kBins];
  unsigned sum = 0;
  for (int part = 0; part < kParts; ++part) sum += places[threadIdx.x * kParts + part];
  sums[threadIdx.x] = sum;
  __syncthreads();
  unsigned before = 0;
  for (int bin = 0; bin < int(threadIdx.x); ++bin) before += sums[bin];
  for (int part = 0; part < kParts; ++part) {
    unsigned own = places[threadIdx.x * kParts + part];
    places[threadIdx.x * kParts + part] = before;
    before += own;
  }
}

}  // namespace
