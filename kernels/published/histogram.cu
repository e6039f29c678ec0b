// The steps of a published histogram of bytes on an H100 (github.com/yencal/gpu-histogram-optimization, whose README has the times), for
// comparison with the model: scripts/model_table.py histogram. The kernels are ours, after the descriptions of the steps.
//
//   global      one atomic a byte in global memory
//   shared      in the block's shared memory; its sums go to global memory at the end
//   vectorised  the same, 16 bytes per load
//
// All by blocks of 512 threads, no more than 32 for each multiprocessor, which go over the bytes in turns of the whole grid.
//
//     warpwise profile --device=h100 kernels/published/histogram.cu [bytes]        2^30 in the published table
#include "../../examples/common.h"

constexpr int kBins = 256, kThreads = 512;
using Byte = unsigned char;

// Uniform bytes: the multiplicative hash of the index (Knuth, The Art of Computer Programming 3, 6.4), mixed twice.
__global__ void fill(Byte* bytes, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned h = (i ^ 0x5bd1e995u) * 2654435761u;
    h = (h ^ h >> 15) * 2246822519u;
    bytes[i] = Byte(h >> 24);
  }
}

__device__ int first() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int stride() { return gridDim.x * blockDim.x; }

__device__ void clear(int* mine) {
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
}
__device__ void add_to(int* bins, const int* mine) {
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x)
    if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);
}

__global__ void global(const Byte* __restrict__ in, int n, int* __restrict__ bins) {
  for (int i = first(); i < n; i += stride()) atomicAdd(&bins[in[i]], 1);
}

__global__ void shared(const Byte* __restrict__ in, int n, int* __restrict__ bins) {
  __shared__ int mine[kBins];
  clear(mine);
  for (int i = first(); i < n; i += stride()) atomicAdd(&mine[in[i]], 1);
  add_to(bins, mine);
}

__global__ void vectorised(const Byte* __restrict__ in, int n, int* __restrict__ bins) {
  __shared__ int mine[kBins];
  clear(mine);
  for (int i = first(); i < n / 16; i += stride()) {
    union {
      uint4 word;
      Byte each[16];
    } piece;
    piece.word = reinterpret_cast<const uint4*>(in)[i];
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(&mine[piece.each[k]], 1);
  }
  for (int i = n / 16 * 16 + first(); i < n; i += stride()) atomicAdd(&mine[in[i]], 1);
  add_to(bins, mine);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1, 1 << 24), multiprocessors = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  DeviceArray<Byte> in(n);
  DeviceArray<int> bins(kBins);
  fill<<<256, kThreads>>>(in.data, n);
  check_kernel();
  std::vector<Byte> host = in.to_host();
  std::vector<int> want(kBins);
  for (Byte byte : host) ++want[byte];
  Verdict verdict;
  using Kernel = void (*)(const Byte*, int, int*);
  auto step = [&](const char* name, Kernel kernel) {
    bins.clear();
    kernel<<<std::min(divide_up(n, kThreads), multiprocessors * 32), kThreads>>>(in.data, n, bins.data);
    check_kernel();
    verdict.check(name, bins.to_host() == want);
  };
  step("global", global);
  step("shared", shared);
  step("vectorised", vectorised);
  return verdict.finish("histogram");
}
