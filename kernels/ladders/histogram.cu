// A histogram of bytes in steps: where do the threads that count the same value contend?
//
//   global      in global memory, one atomic per byte
//   shared      in the block's shared memory, and 256 sums to global memory at the end
//   coarsened   the same, by fewer blocks that each take many bytes
//   runs        each thread counts equal neighbours before it adds
//   matched     one of the lanes with the same value adds for all (__match_any_sync)
//   warps       a histogram for each warp of the block
//   vectorised  16 bytes per load
//
//     warpwise profile --device=h100 kernels/ladders/histogram.cu [bytes]
#include "../../examples/common.h"

constexpr int kBins = 256, kThreads = 256;
using Byte = unsigned char;

__device__ void clear(unsigned* bins, int count) {
  for (int b = threadIdx.x; b < count; b += blockDim.x) bins[b] = 0;
  __syncthreads();
}
__device__ void add_to(unsigned* bins, const unsigned* mine) {
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x)
    if (mine[b]) atomicAdd(&bins[b], mine[b]);
}

__global__ void global(const Byte* in, int n, unsigned* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1u);
}

__global__ void shared(const Byte* in, int n, unsigned* bins) {
  __shared__ unsigned mine[kBins];
  clear(mine, kBins);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&mine[in[i]], 1u);
  add_to(bins, mine);
}

__global__ void coarsened(const Byte* in, int n, unsigned* bins) {
  __shared__ unsigned mine[kBins];
  clear(mine, kBins);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
  add_to(bins, mine);
}

__global__ void runs(const Byte* in, int n, unsigned* bins) {
  __shared__ unsigned mine[kBins];
  clear(mine, kBins);
  int last = -1;
  unsigned count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int value = in[i];
    if (value != last) {
      if (count) atomicAdd(&mine[last], count);
      last = value, count = 0;
    }
    ++count;
  }
  if (count) atomicAdd(&mine[last], count);
  add_to(bins, mine);
}

__global__ void matched(const Byte* in, int n, unsigned* bins) {
  int lane = threadIdx.x % 32;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < n; i += gridDim.x * blockDim.x) {
    int value = i < n ? in[i] : -1;
    unsigned same = __match_any_sync(0xffffffffu, value);
    if (value >= 0 && lane == __ffs(same) - 1) atomicAdd(&bins[value], unsigned(__popc(same)));
  }
}

__global__ void warps(const Byte* in, int n, unsigned* bins) {
  __shared__ unsigned each[kThreads / 32][kBins];
  clear(&each[0][0], kThreads / 32 * kBins);
  unsigned* mine = each[threadIdx.x / 32];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    unsigned sum = 0;
    for (int w = 0; w < kThreads / 32; ++w) sum += each[w][b];
    if (sum) atomicAdd(&bins[b], sum);
  }
}

__global__ void vectorised(const Byte* in, int n, unsigned* bins) {
  __shared__ unsigned mine[kBins];
  clear(mine, kBins);
  auto count = [&](unsigned word) {
    for (int k = 0; k < 4; ++k) atomicAdd(&mine[word >> 8 * k & 255], 1u);
  };
  const uint4* words = reinterpret_cast<const uint4*>(in);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 16; i += gridDim.x * blockDim.x) {
    uint4 v = words[i];
    count(v.x), count(v.y), count(v.z), count(v.w);
  }
  if (blockIdx.x == 0 && int(threadIdx.x) < n % 16) atomicAdd(&mine[in[n - 1 - threadIdx.x]], 1u);
  add_to(bins, mine);
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1, 1 << 20);
  std::vector<Byte> host(n);
  std::vector<unsigned> want(kBins);
  unsigned state = 1;
  for (Byte& byte : host) {
    state = state * 1664525u + 1013904223u;
    byte = Byte(state >> 24);
    ++want[byte];
  }
  DeviceArray<Byte> in(host);
  DeviceArray<unsigned> bins(kBins);
  Verdict verdict;
  using Kernel = void (*)(const Byte*, int, unsigned*);
  auto step = [&](const char* name, Kernel kernel, int blocks) {
    bins.clear();
    kernel<<<blocks, kThreads>>>(in.data, n, bins.data);
    check_kernel();
    verdict.check(name, bins.to_host() == want);
  };
  int all = divide_up(n, kThreads), some = all < 1056 ? all : 1056;
  step("global", global, all);
  step("shared", shared, all);
  step("coarsened", coarsened, some);
  step("runs", runs, some);
  step("matched", matched, some);
  step("warps", warps, some);
  step("vectorised", vectorised, some);
  return verdict.finish("histogram");
}
