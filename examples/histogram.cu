// Counts how often each byte value occurs, twice.
//
//   global   every thread adds to the result in global memory
//   shared   each block counts in shared memory first and adds its 256 sums at the end, so that threads
//            of different blocks contend 256 times and not once per byte
//
//     warpwise run examples/histogram.cu [bytes]
#include "common.h"

constexpr int kBins = 256;

__global__ void histogram_global(const unsigned char* in, int n, unsigned* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
}

__global__ void histogram_shared(const unsigned char* in, int n, unsigned* bins) {
  __shared__ unsigned mine[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&bins[b], mine[b]);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1, 300007);
  std::vector<unsigned char> in(n);
  std::vector<unsigned> want(kBins);
  unsigned state = 1;
  for (unsigned char& byte : in) {
    state = state * 1664525u + 1013904223u;
    byte = (unsigned char)((state >> 24) & (state >> 16));  // small values are more frequent
    ++want[byte];
  }

  DeviceArray<unsigned char> din(in);
  DeviceArray<unsigned> bins(kBins);
  Verdict verdict;

  bins.clear();
  histogram_global<<<32, 256>>>(din.data, n, bins.data);
  check_kernel();
  verdict.check("global atomics", bins.to_host() == want);

  bins.clear();
  histogram_shared<<<32, 256>>>(din.data, n, bins.data);
  check_kernel();
  verdict.check("shared atomics", bins.to_host() == want);
  return verdict.finish("histogram");
}
