// Atomic additions of floats keep the order of blocks, warps and lanes, on any number of host threads: the sums have
// the bits of a loop over the threads. On a GPU the order varies.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kBlock = 96, kBlocks = 500, kAll = kBlock * kBlocks - 17, kBins = 1000;

__device__ double total;
__device__ float subnormal = 1e-39f;

__global__ void bins(const int* bin, const float* x, float* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kAll) atomicAdd(&sums[bin[i]], x[i]);
}

__global__ void one_of_a_warp(const float* x, double* unused, float* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < kAll ? x[i] : 0;
  for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(~0u, v, step);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, v);
}

__global__ void variable(const float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kAll) atomicAdd(&total, x[i] * 1e-3);
}

// Two arrays, and between them in memory one that is read behind each sum.
__global__ void strides(const int* bin, float* sums, float* x, float* halves) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kAll; i += gridDim.x * blockDim.x) {
    atomicAdd(&sums[bin[i]], x[i]);
    atomicAdd(&halves[bin[i] / 2], x[i] / 2);
  }
}

// Each thread finds what it has added, and after a barrier what the block has.
__global__ void reads_back(float* sums, float* seen, float* of_block) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kAll) {
    atomicAdd(&sums[i], 1.5f);
    seen[i] = sums[i];
  }
  atomicAdd(&of_block[blockIdx.x], 0.5f);
  __syncthreads();
  if (threadIdx.x == 0) of_block[blockIdx.x] *= 2;
}

__global__ void subnormals(float* nan, float signalling) {
  atomicAdd(&subnormal, 1e-39f);
  atomicAdd(nan, signalling);
}

// Blocks that take much longer than those behind them.
__global__ void unequal(const float* x, float* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i % kAll];
  for (int step = 0; step < (blockIdx.x % 50 == 0 ? 3000 : 3); ++step) v = v * 0.999f + 1e-3f;
  atomicAdd(&sums[threadIdx.x % 7], v);
}

template <class T>
bool same(const T* device, const std::vector<T>& want) {
  std::vector<T> got(want.size());
  cudaMemcpy(got.data(), device, sizeof(T) * want.size(), cudaMemcpyDefault);
  return memcmp(got.data(), want.data(), sizeof(T) * want.size()) == 0;
}

void print(const char* name, bool yes) {
  const cudaError_t error = cudaDeviceSynchronize();
  printf("%s: %s%s%s\n", name, yes ? "the bits of a loop" : "other bits", error ? ", " : "",
         error ? cudaGetErrorName(error) : "");
}

int main() {
  // One behind the other in memory: `strides` reads x between what it adds to.
  float *sums, *x, *halves, *seen, *managed, *pinned;
  int* bin;
  cudaMalloc(&sums, 4 * kAll), cudaMalloc(&x, 4 * kAll), cudaMalloc(&halves, 4 * kAll), cudaMalloc(&seen, 4 * kAll);
  cudaMalloc(&bin, 4 * kAll), cudaMallocManaged(&managed, 4 * kBins), cudaMallocHost(&pinned, 4 * kBins);
  std::vector<float> host(kAll);
  std::vector<int> bin_of(kAll);
  unsigned random = 1;
  for (int i = 0; i < kAll; ++i) {
    random = random * 1664525 + 1013904223;
    host[i] = float(random >> 8) * (random % 7 == 0 ? 1e3f : 1e-4f);
    bin_of[i] = (random >> 5) % kBins;
  }
  cudaMemcpy(x, host.data(), 4 * kAll, cudaMemcpyDefault);
  cudaMemcpy(bin, bin_of.data(), 4 * kAll, cudaMemcpyDefault);
  auto clear = [&] { cudaMemset(sums, 0, 4 * kAll), cudaMemset(halves, 0, 4 * kAll); };

  std::vector<float> want(kBins), want_halves(kBins / 2);
  for (int i = 0; i < kAll; ++i) want[bin_of[i]] += host[i];
  clear();
  bins<<<kBlocks, kBlock>>>(bin, x, sums);
  print("bins", same(sums, want));
  memset(managed, 0, 4 * kBins);
  bins<<<kBlocks, kBlock>>>(bin, x, managed);
  cudaDeviceSynchronize();
  print("bins in managed memory", same(managed, want));
  memset(pinned, 0, 4 * kBins);
  bins<<<kBlocks, kBlock>>>(bin, x, pinned);
  cudaDeviceSynchronize();
  print("bins in host memory", same(pinned, want));

  std::vector<float> sum(1);
  for (int first = 0; first < kBlock * kBlocks; first += 32) {
    float v[32];
    for (int lane = 0; lane < 32; ++lane) v[lane] = first + lane < kAll ? host[first + lane] : 0;
    for (int step = 16; step > 0; step /= 2)
      for (int lane = 0; lane < step; ++lane) v[lane] += v[lane + step];
    sum[0] += v[0];
  }
  clear();
  one_of_a_warp<<<kBlocks, kBlock>>>(x, nullptr, sums);
  print("one addition of a warp", same(sums, sum));

  double all = 0;
  for (float v : host) all += v * 1e-3;
  variable<<<kBlocks, kBlock>>>(x);
  double got;
  cudaMemcpyFromSymbol(&got, total, sizeof got);
  print("a variable in double precision", got == all);

  // 20 blocks, which stride over the elements: block after block, warp after warp, and in each warp turn after turn.
  std::fill(want.begin(), want.end(), 0.0f);
  for (int warp = 0; warp < 20 * kBlock / 32; ++warp)
    for (int turn = 0; turn * 20 * kBlock < kAll; ++turn)
      for (int lane = 0; lane < 32; ++lane)
        if (int i = turn * 20 * kBlock + warp * 32 + lane; i < kAll)
          want[bin_of[i]] += host[i], want_halves[bin_of[i] / 2] += host[i] / 2;
  clear();
  strides<<<20, kBlock>>>(bin, sums, x, halves);
  const bool sums_same = same(sums, want), halves_same = same(halves, want_halves);
  print("two arrays", sums_same && halves_same);

  std::vector<float> each(kAll, 1.5f), of_block(kBlocks, kBlock);
  clear();
  reads_back<<<kBlocks, kBlock>>>(sums, seen, halves);
  print("what a thread has added", same(sums, each) && same(seen, each) && same(halves, of_block));

  clear();
  subnormals<<<1, 1>>>(sums, __builtin_bit_cast(float, 0x7f812345));
  float flushed;
  unsigned nan;
  cudaMemcpyFromSymbol(&flushed, subnormal, sizeof flushed), cudaMemcpy(&nan, sums, 4, cudaMemcpyDefault);
  printf("subnormals sum to %g, NaNs to %08x\n", flushed, nan);

  std::vector<float> sevenths(7);
  for (int block = 0; block < kBlocks; ++block)
    for (int t = 0; t < kBlock; ++t) {
      float v = host[(block * kBlock + t) % kAll];
      for (int step = 0; step < (block % 50 == 0 ? 3000 : 3); ++step) v = __builtin_fmaf(v, 0.999f, 1e-3f);
      sevenths[t % 7] += v;
    }
  clear();
  unequal<<<kBlocks, kBlock>>>(x, sums);
  print("blocks of unequal length", same(sums, sevenths));
}
