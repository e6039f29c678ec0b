// The transpose of a square matrix of floats in steps: the same bytes, moved in worse and better ways.
//
//   copy        no transpose at all: the most that memory allows
//   naive       reads rows, writes columns: 32 sectors for each store of a warp
//   columns     reads columns, writes rows: the loads are scattered instead
//   shared      a tile of 32 x 32 in shared memory: both sides coalesced, 32 threads in one bank
//   padded      one more column: no conflicts
//   swizzled    no padding: the column is xor-ed with the row
//   vectorised  padded, and each thread moves 16 bytes at a time
//
//     warpwise profile --device=h100 kernels/ladders/transpose.cu [n]        n: a multiple of 64
#include "../../examples/common.h"

constexpr int kTile = 32, kRows = 8;

__global__ void copy(const float* in, float* out, int n) {
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) out[size_t(y + j) * n + x] = in[size_t(y + j) * n + x];
}

__global__ void naive(const float* in, float* out, int n) {
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) out[size_t(x) * n + y + j] = in[size_t(y + j) * n + x];
}

__global__ void columns(const float* in, float* out, int n) {
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) out[size_t(y + j) * n + x] = in[size_t(x) * n + y + j];
}

template <int kPitch, bool kSwizzle>
__device__ void through_shared(const float* in, float* out, int n) {
  __shared__ float tile[kTile * kPitch];
  auto place = [](int row, int column) { return row * kPitch + (kSwizzle ? column ^ row : column); };
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) tile[place(threadIdx.y + j, threadIdx.x)] = in[size_t(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x, y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) out[size_t(y + j) * n + x] = tile[place(threadIdx.x, threadIdx.y + j)];
}
__global__ void shared(const float* in, float* out, int n) { through_shared<kTile, false>(in, out, n); }
__global__ void padded(const float* in, float* out, int n) { through_shared<kTile + 1, false>(in, out, n); }
__global__ void swizzled(const float* in, float* out, int n) { through_shared<kTile, true>(in, out, n); }

// A tile of 64 x 64 by 16 x 16 threads: a thread reads four floats of a row at once, and writes four of a column of the tile.
constexpr int kWide = 64;
__global__ void vectorised(const float* in, float* out, int n) {
  __shared__ float tile[kWide][kWide + 1];
  int x = threadIdx.x * 4, bx = blockIdx.x * kWide, by = blockIdx.y * kWide;
  for (int y = threadIdx.y; y < kWide; y += 16) {
    float4 v = *reinterpret_cast<const float4*>(&in[size_t(by + y) * n + bx + x]);
    tile[y][x] = v.x, tile[y][x + 1] = v.y, tile[y][x + 2] = v.z, tile[y][x + 3] = v.w;
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kWide; y += 16) {
    float4 v = {tile[x][y], tile[x + 1][y], tile[x + 2][y], tile[x + 3][y]};
    *reinterpret_cast<float4*>(&out[size_t(bx + y) * n + by + x]) = v;
  }
}

int main(int argc, char** argv) {
  int n = argument(argc, argv, 1, 1024);
  if (n % kWide != 0) return std::fprintf(stderr, "n must be a multiple of %d\n", kWide), 2;
  std::vector<float> host = random_floats(size_t(n) * n);
  DeviceArray<float> in(host), out(size_t(n) * n);
  Verdict verdict;
  using Kernel = void (*)(const float*, float*, int);
  auto step = [&](const char* name, Kernel kernel, int tile, dim3 block) {
    kernel<<<dim3(n / tile, n / tile), block>>>(in.data, out.data, n);
    check_kernel();
    std::vector<float> result = out.to_host();
    bool right = true;
    for (int y = 0; y < n; y += 7)
      for (int x = 0; x < n; x += 5) right = right && result[size_t(y) * n + x] == (kernel == copy ? host[size_t(y) * n + x] : host[size_t(x) * n + y]);
    verdict.check(name, right);
  };
  dim3 block(kTile, kRows);
  step("copy", copy, kTile, block);
  step("naive", naive, kTile, block);
  step("columns", columns, kTile, block);
  step("shared", shared, kTile, block);
  step("padded", padded, kTile, block);
  step("swizzled", swizzled, kTile, block);
  step("vectorised", vectorised, kWide, dim3(16, 16));
  return verdict.finish("transpose");
}
