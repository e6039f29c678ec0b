// The steps of a published product of a matrix and a vector on a GeForce GTX 1050 Ti (github.com/Maharshi-Pandya/cudacodes, matvec/README.md),
// for comparison with the model: scripts/model_table.py matvec. The kernels are ours, after the descriptions of the steps.
//
//   naive       one thread per row; blocks of 1024 threads
//   warp        a block of one warp per row
//   block       a block of two warps per row
//   vectorised  the same, 16 bytes per load
//
//     warpwise profile --device=gtx1050ti kernels/published/matvec.cu [rows] [columns]        4096 and 8192 in the published table
#include "../../examples/common.h"

__global__ void naive(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += a[row * columns + i] * x[i];
  y[row] = sum;
}

__device__ float of_warp(float v) {
  for (int distance = 16; distance > 0; distance /= 2) v += __shfl_down_sync(0xffffffffu, v, distance);
  return v;
}

// In thread 0.
__device__ float of_block(float v) {
  __shared__ float words[32];
  const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
  v = of_warp(v);
  if (warps == 1) return v;
  if (lane == 0) words[threadIdx.x / 32] = v;
  __syncthreads();
  return threadIdx.x < 32 ? of_warp(lane < warps ? words[lane] : 0.0f) : 0.0f;
}

__global__ void warp(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int, int columns) {
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += a[blockIdx.x * columns + i] * x[i];
  sum = of_warp(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

__global__ void block(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int, int columns) {
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += a[blockIdx.x * columns + i] * x[i];
  sum = of_block(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

__global__ void vectorised(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int, int columns) {
  const float4* row = reinterpret_cast<const float4*>(a + blockIdx.x * columns);
  const float4* vector = reinterpret_cast<const float4*>(x);
  float sum = 0;
#pragma unroll 4
  for (int i = threadIdx.x; i < columns / 4; i += blockDim.x) {
    float4 p = row[i], q = vector[i];
    sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  sum = of_block(sum);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

int main(int argc, char** argv) {
  int rows = argument(argc, argv, 1, 1024), columns = argument(argc, argv, 2, 2048);
  if (columns % 4 != 0) return std::fprintf(stderr, "columns must be a multiple of 4\n"), 2;
  std::vector<float> host = random_floats(size_t(rows) * columns), vector = random_floats(columns, 2);
  DeviceArray<float> a(host), x(vector), y(rows);
  Verdict verdict;
  using Kernel = void (*)(const float*, const float*, float*, int, int);
  auto step = [&](const char* name, Kernel kernel, int blocks, int threads) {
    y.clear();
    kernel<<<blocks, threads>>>(a.data, x.data, y.data, rows, columns);
    check_kernel();
    std::vector<float> got = y.to_host();
    double worst = 0;
    for (int row = 0; row < rows; row += divide_up(rows, 64)) {
      double sum = 0;
      for (int i = 0; i < columns; ++i) sum += double(host[size_t(row) * columns + i]) * vector[i];
      worst = std::max(worst, std::abs(sum - got[row]));
    }
    verdict.check(name, worst < 1e-3 * std::sqrt(double(columns)));
  };
  step("naive", naive, divide_up(rows, 1024), 1024);
  step("warp", warp, rows, 32);
  step("block", block, rows, 64);
  step("vectorised", vectorised, rows, 64);
  return verdict.finish("matvec");
}
