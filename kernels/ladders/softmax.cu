// The softmax of each row of a matrix in steps: exp(x - max) / sum.
//
//   naive        one thread per row, three passes over it
//   online       one thread per row, maximum and sum in one pass (Milakov and Gimelshein, arXiv:1805.02867)
//   block        one block per row, the online sums are combined in shared memory
//   shuffle      the same, warps reduce in registers
//   vectorised   the same, 16 bytes per load
//
//     warpwise profile --device=gtx1050ti kernels/ladders/softmax.cu [rows] [columns]        columns: a multiple of 4
#include "../../examples/common.h"

constexpr int kThreads = 256;

__global__ void naive(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + size_t(row) * columns;
  float most = -INFINITY, sum = 0;
  for (int i = 0; i < columns; ++i) most = fmaxf(most, x[i]);
  for (int i = 0; i < columns; ++i) sum += expf(x[i] - most);
  for (int i = 0; i < columns; ++i) out[size_t(row) * columns + i] = expf(x[i] - most) / sum;
}

// A maximum, and the sum of exp(x - maximum).
struct Part {
  float most = -INFINITY, sum = 0;
  __device__ void add(float x) {
    if (x > most) sum *= expf(most - x), most = x;
    sum += expf(x - most);
  }
  __device__ void add(Part o) {
    float both = fmaxf(most, o.most);
    if (both == -INFINITY) return;
    sum = sum * expf(most - both) + o.sum * expf(o.most - both);
    most = both;
  }
};

__global__ void online(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float* x = in + size_t(row) * columns;
  Part part;
  for (int i = 0; i < columns; ++i) part.add(x[i]);
  for (int i = 0; i < columns; ++i) out[size_t(row) * columns + i] = expf(x[i] - part.most) / part.sum;
}

__device__ Part in_shared(Part mine) {
  __shared__ float most[kThreads], sum[kThreads];
  int t = threadIdx.x;
  most[t] = mine.most, sum[t] = mine.sum;
  __syncthreads();
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) {
      Part a{most[t], sum[t]};
      a.add(Part{most[t + stride], sum[t + stride]});
      most[t] = a.most, sum[t] = a.sum;
    }
    __syncthreads();
  }
  return {most[0], sum[0]};
}

// The maximum first, so that each sum is scaled once and not at every step.
__device__ Part in_warp(Part mine) {
  float most = mine.most;
  for (int distance = 16; distance > 0; distance /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, distance));
  float sum = mine.sum * expf(mine.most - most);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  return {most, sum};
}

__device__ Part in_registers(Part mine) {
  __shared__ float most[32], sum[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  mine = in_warp(mine);
  if (lane == 0) most[warp] = mine.most, sum[warp] = mine.sum;
  __syncthreads();
  return in_warp(lane < kThreads / 32 ? Part{most[lane], sum[lane]} : Part{});
}

__global__ void block(const float* in, float* out, int, int columns) {
  const float* x = in + size_t(blockIdx.x) * columns;
  Part part;
  for (int i = threadIdx.x; i < columns; i += kThreads) part.add(x[i]);
  part = in_shared(part);
  for (int i = threadIdx.x; i < columns; i += kThreads) out[size_t(blockIdx.x) * columns + i] = expf(x[i] - part.most) / part.sum;
}

__global__ void shuffle(const float* in, float* out, int, int columns) {
  const float* x = in + size_t(blockIdx.x) * columns;
  Part part;
  for (int i = threadIdx.x; i < columns; i += kThreads) part.add(x[i]);
  part = in_registers(part);
  for (int i = threadIdx.x; i < columns; i += kThreads) out[size_t(blockIdx.x) * columns + i] = expf(x[i] - part.most) / part.sum;
}

__global__ void vectorised(const float* in, float* out, int, int columns) {
  const float4* x = reinterpret_cast<const float4*>(in + size_t(blockIdx.x) * columns);
  float4* y = reinterpret_cast<float4*>(out + size_t(blockIdx.x) * columns);
  Part part;
  for (int i = threadIdx.x; i < columns / 4; i += kThreads) {
    float4 v = x[i];
    part.add(v.x), part.add(v.y), part.add(v.z), part.add(v.w);
  }
  part = in_registers(part);
  for (int i = threadIdx.x; i < columns / 4; i += kThreads) {
    float4 v = x[i];
    y[i] = {expf(v.x - part.most) / part.sum, expf(v.y - part.most) / part.sum, expf(v.z - part.most) / part.sum, expf(v.w - part.most) / part.sum};
  }
}

int main(int argc, char** argv) {
  int rows = argument(argc, argv, 1, 256), columns = argument(argc, argv, 2, 4096);
  if (columns % 4 != 0) return std::fprintf(stderr, "columns must be a multiple of 4\n"), 2;
  std::vector<float> host = random_floats(size_t(rows) * columns);
  DeviceArray<float> in(host), out(size_t(rows) * columns);
  Verdict verdict;
  using Kernel = void (*)(const float*, float*, int, int);
  auto step = [&](const char* name, Kernel kernel, int blocks, int threads) {
    out.clear();
    kernel<<<blocks, threads>>>(in.data, out.data, rows, columns);
    check_kernel();
    std::vector<float> result = out.to_host();
    double worst = 0;
    for (int row = 0; row < rows; row += divide_up(rows, 16)) {
      const float* x = &host[size_t(row) * columns];
      double sum = 0;
      for (int i = 0; i < columns; ++i) sum += std::exp(double(x[i]));
      for (int i = 0; i < columns; ++i) worst = std::max(worst, std::abs(std::exp(double(x[i])) / sum - result[size_t(row) * columns + i]) * columns);
    }
    verdict.check(name, worst < 1e-3);
  };
  step("naive", naive, divide_up(rows, kThreads), kThreads);
  step("online", online, divide_up(rows, kThreads), kThreads);
  step("block", block, rows, kThreads);
  step("shuffle", shuffle, rows, kThreads);
  step("vectorised", vectorised, rows, kThreads);
  return verdict.finish("softmax");
}
