// The sum of an array in five steps; each differs from the one before by one idea (after Mark Harris,
// "Optimizing Parallel Reduction in CUDA", and the warp shuffles that came later).
//
//   1 interleaved   strides grow: threads t with t % (2·stride) == 0 work, so every warp diverges
//   2 compact       the same additions, done by the first threads: whole warps become inactive instead
//   3 sequential    strides shrink: neighbouring threads read neighbouring words, no bank conflicts
//   4 grid stride   each thread first adds many elements on its own: fewer blocks, fewer barriers
//   5 shuffle       the last 32 values of each warp are added in registers, without shared memory
//
//     warpwise run examples/reduction.cu [elements]
#include "common.h"

constexpr int kThreads = 256;

__global__ void interleaved(const int* in, int* out, int n) {
  __shared__ int part[kThreads];
  int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < kThreads; stride *= 2) {
    if (t % (2 * stride) == 0) part[t] += part[t + stride];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}

__global__ void compact(const int* in, int* out, int n) {
  __shared__ int part[kThreads];
  int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = 1; stride < kThreads; stride *= 2) {
    int at = 2 * stride * t;
    if (at < kThreads) part[at] += part[at + stride];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}

__global__ void sequential(const int* in, int* out, int n) {
  __shared__ int part[kThreads];
  int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}

__global__ void grid_stride(const int* in, int* out, int n) {
  __shared__ int part[kThreads];
  int t = threadIdx.x, sum = 0;
  for (int i = blockIdx.x * kThreads + t; i < n; i += gridDim.x * kThreads) sum += in[i];
  part[t] = sum;
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}

__device__ int warp_sum(int value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;  // lane 0 has the sum of all
}

__global__ void shuffle(const int* in, int* out, int n) {
  __shared__ int part[kThreads / 32];
  int t = threadIdx.x, sum = 0;
  for (int i = blockIdx.x * kThreads + t; i < n; i += gridDim.x * kThreads) sum += in[i];
  sum = warp_sum(sum);
  if (t % 32 == 0) part[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    sum = warp_sum(t < kThreads / 32 ? part[t] : 0);
    if (t == 0) atomicAdd(out, sum);
  }
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1, 1000003);
  std::vector<int> in(n);
  int want = 0;
  for (int i = 0; i < n; ++i) want += in[i] = int((i * 2654435761u) >> 22) - 512;

  struct Step {
    const char* name;
    void (*kernel)(const int*, int*, int);
    int blocks;
  };
  int all = divide_up(n, kThreads), few = all < 64 ? all : 64;
  const Step steps[] = {{"1 interleaved", interleaved, all}, {"2 compact", compact, all},
                        {"3 sequential", sequential, all},   {"4 grid stride", grid_stride, few},
                        {"5 shuffle", shuffle, few}};
  DeviceArray<int> din(in), dout(1);
  Verdict verdict;
  for (const Step& step : steps) {
    dout.clear();
    step.kernel<<<step.blocks, kThreads>>>(din.data, dout.data, n);
    check_kernel();
    verdict.check(step.name, dout.to_host()[0] == want);
  }
  return verdict.finish("reduction");
}
