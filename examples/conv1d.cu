// A one-dimensional convolution, twice. The filter lies in constant memory, which all threads of a warp
// read at the same address at the same time.
//
//   naive   each thread reads its whole neighbourhood from global memory
//   tiled   a block loads its section and a halo on both sides into shared memory once
//
//     warpwise run examples/conv1d.cu [elements]
#include "common.h"

constexpr int kRadius = 4, kThreads = 256;
__constant__ float filter[2 * kRadius + 1];

__global__ void conv_naive(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int d = -kRadius; d <= kRadius; ++d)
    if (i + d >= 0 && i + d < n) sum += in[i + d] * filter[d + kRadius];
  out[i] = sum;
}

__global__ void conv_tiled(const float* in, float* out, int n) {
  __shared__ float tile[kThreads + 2 * kRadius];
  int i = blockIdx.x * kThreads + threadIdx.x;
  for (int t = threadIdx.x; t < kThreads + 2 * kRadius; t += kThreads) {
    int from = int(blockIdx.x) * kThreads + t - kRadius;
    tile[t] = from >= 0 && from < n ? in[from] : 0.0f;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int d = 0; d <= 2 * kRadius; ++d) sum += tile[threadIdx.x + d] * filter[d];
  out[i] = sum;
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1, 100003);
  std::vector<float> in = random_floats(n, 1), weights = random_floats(2 * kRadius + 1, 2), want(n);
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int d = -kRadius; d <= kRadius; ++d)
      if (i + d >= 0 && i + d < n) sum += double(in[i + d]) * weights[d + kRadius];
    want[i] = float(sum);
  }
  CUDA_CHECK(cudaMemcpyToSymbol(filter, weights.data(), sizeof(filter)));

  DeviceArray<float> din(in), dout(n);
  Verdict verdict;
  dout.clear();
  conv_naive<<<divide_up(n, kThreads), kThreads>>>(din.data, dout.data, n);
  check_kernel();
  verdict.check("naive", dout.to_host(), want, 1e-5);

  dout.clear();
  conv_tiled<<<divide_up(n, kThreads), kThreads>>>(din.data, dout.data, n);
  check_kernel();
  verdict.check("tiled", dout.to_host(), want, 1e-5);
  return verdict.finish("conv1d");
}
