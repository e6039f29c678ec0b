// C = A · B, twice.
//
//   naive   one thread per element; each reads a whole row and a whole column from global memory.
//   tiled   a block first brings a 16×16 tile of A and of B into shared memory, so that each element
//           is read from global memory once per block and not once per thread: 16 times less traffic.
//
// The matrices are M×K and K×N with no side a multiple of the tile.
//
//     warpwise run examples/matmul.cu [M] [N] [K]
#include "common.h"

constexpr int kTile = 16;

__global__ void matmul_naive(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

__global__ void matmul_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y;
  int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < k; start += kTile) {
    int ka = start + threadIdx.x, kb = start + threadIdx.y;
    // Past the edge a tile holds zeros, which add nothing: all threads stay for the barriers.
    tile_a[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = kb < k && column < n ? b[kb * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();  // no thread may overwrite the tile while others still read it
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

int main(int argc, char** argv) {
  int m = argument(argc, argv, 1, 200), n = argument(argc, argv, 2, 150), k = argument(argc, argv, 3, 170);
  std::vector<float> a = random_floats(size_t(m) * k, 1), b = random_floats(size_t(k) * n, 2), want(size_t(m) * n);
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = 0;
      for (int i = 0; i < k; ++i) sum += double(a[row * k + i]) * b[i * n + column];
      want[row * n + column] = float(sum);
    }

  DeviceArray<float> da(a), db(b), dc(size_t(m) * n);
  dim3 block(kTile, kTile), grid(divide_up(n, kTile), divide_up(m, kTile));
  double tolerance = 1e-6 * k;
  Verdict verdict;

  dc.clear();
  matmul_naive<<<grid, block>>>(da.data, db.data, dc.data, m, n, k);
  check_kernel();
  verdict.check("naive", dc.to_host(), want, tolerance);

  dc.clear();
  matmul_tiled<<<grid, block>>>(da.data, db.data, dc.data, m, n, k);
  check_kernel();
  verdict.check("tiled", dc.to_host(), want, tolerance);
  return verdict.finish("matmul");
}
