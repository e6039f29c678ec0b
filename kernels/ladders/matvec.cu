// A matrix times a vector in steps: every element of the matrix is read once, so memory bandwidth is the limit.
//
//   naive        one thread per row: lanes read from different rows, 32 sectors per load
//   warp         one warp per row: lanes read neighbours, and add up by shuffles
//   block        one block per row
//   vectorised   one block per row, 16 bytes per load
//
//     warpwise profile --device=gtx1050ti kernels/ladders/matvec.cu [rows] [columns]        columns: a multiple of 4
#include "../../examples/common.h"

constexpr int kThreads = 256;

__global__ void naive(const float* a, const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += a[size_t(row) * columns + i] * x[i];
  y[row] = sum;
}

__device__ float warp_sum(float v) {
  for (int distance = 16; distance > 0; distance /= 2) v += __shfl_down_sync(0xffffffffu, v, distance);
  return v;
}
__device__ float block_sum(float v) {
  __shared__ float part[32];
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  return threadIdx.x < 32 ? warp_sum(threadIdx.x < kThreads / 32 ? part[threadIdx.x] : 0) : 0;
}

__global__ void warp(const float* a, const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = lane; i < columns; i += 32) sum += a[size_t(row) * columns + i] * x[i];
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}

__global__ void block(const float* a, const float* x, float* y, int, int columns) {
  const float* row = a + size_t(blockIdx.x) * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += kThreads) sum += row[i] * x[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

__global__ void vectorised(const float* a, const float* x, float* y, int, int columns) {
  const float4* row = reinterpret_cast<const float4*>(a + size_t(blockIdx.x) * columns);
  const float4* v = reinterpret_cast<const float4*>(x);
  float sum = 0;
  for (int i = threadIdx.x; i < columns / 4; i += kThreads) {
    float4 p = row[i], q = v[i];
    sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

int main(int argc, char** argv) {
  int rows = argument(argc, argv, 1, 1024), columns = argument(argc, argv, 2, 2048);
  if (columns % 4 != 0) return std::fprintf(stderr, "columns must be a multiple of 4\n"), 2;
  std::vector<float> host = random_floats(size_t(rows) * columns), vector = random_floats(columns, 2);
  DeviceArray<float> a(host), x(vector), y(rows);
  Verdict verdict;
  using Kernel = void (*)(const float*, const float*, float*, int, int);
  auto step = [&](const char* name, Kernel kernel, int blocks) {
    y.clear();
    kernel<<<blocks, kThreads>>>(a.data, x.data, y.data, rows, columns);
    check_kernel();
    std::vector<float> result = y.to_host();
    double worst = 0;
    for (int row = 0; row < rows; row += divide_up(rows, 64)) {
      double sum = 0;
      for (int i = 0; i < columns; ++i) sum += double(host[size_t(row) * columns + i]) * vector[i];
      worst = std::max(worst, std::abs(sum - result[row]));
    }
    verdict.check(name, worst < 1e-3 * std::sqrt(double(columns)));
  };
  step("naive", naive, divide_up(rows, kThreads));
  step("warp", warp, divide_up(rows, kThreads / 32));
  step("block", block, rows);
  step("vectorised", vectorised, rows);
  return verdict.finish("matvec");
}
