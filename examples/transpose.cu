// The transpose of a matrix, twice.
//
//   naive   reads along rows and writes along columns: neighbouring threads write words that are a
//           whole row apart.
//   tiled   a 32×32 tile turns around in shared memory, so that reads and writes both run along rows.
//           The tile has 33 columns: with 32, a column would lie in one bank.
//
//     warpwise run examples/transpose.cu [rows] [columns]
#include "common.h"

constexpr int kTile = 32, kRows = 8;  // a block of 32×8 threads moves 32×32 elements

__global__ void transpose_naive(const float* in, float* out, int rows, int columns) {
  int x = blockIdx.x * kTile + threadIdx.x;
  for (int y = blockIdx.y * kTile + threadIdx.y; y < (blockIdx.y + 1) * kTile; y += kRows)
    if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
}

__global__ void transpose_tiled(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows)
    if (x < columns && y + i < rows) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * columns + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;  // the tile's place in the result is mirrored
  y = blockIdx.x * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows)
    if (x < rows && y + i < columns) out[(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main(int argc, char** argv) {
  int rows = argument(argc, argv, 1, 500), columns = argument(argc, argv, 2, 333);
  std::vector<float> in = random_floats(size_t(rows) * columns), want(in.size());
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) want[size_t(x) * rows + y] = in[size_t(y) * columns + x];

  DeviceArray<float> din(in), dout(in.size());
  dim3 block(kTile, kRows), grid(divide_up(columns, kTile), divide_up(rows, kTile));
  Verdict verdict;

  dout.clear();
  transpose_naive<<<grid, block>>>(din.data, dout.data, rows, columns);
  check_kernel();
  verdict.check("naive", dout.to_host(), want, 0.0);

  dout.clear();
  transpose_tiled<<<grid, block>>>(din.data, dout.data, rows, columns);
  check_kernel();
  verdict.check("tiled", dout.to_host(), want, 0.0);
  return verdict.finish("transpose");
}
