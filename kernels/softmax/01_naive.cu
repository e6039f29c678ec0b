// step: one thread for each row, three passes over it
// takes: columns <= 65536
//
// The definition, written down: the largest element, the sum of the exponentials, the quotients.
//
// One thread adds up a row in float, and each addition rounds: beyond 65,536 columns the sum is too far from the right one.
//
// Expected: far from the memory's bandwidth. The lanes of a warp read from 32 different rows, so each load touches 32
// sectors of 32 bytes and uses 4 bytes of each; and 4096 rows are only 4096 threads, where the GPU wants 270,000.
//
// Found (H200, 2026-11-23): 0.08 of a copy at 32768x1024; 0.07 at 16384x4096; 0.04 at 8192x16384; 0.02 at 4096x65536.
namespace {

constexpr int kThreads = 128;

__global__ void naive(const float* in, float* out, int rows, int columns) {
  int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  const float* x = in + size_t(row) * columns;
  float most = -INFINITY, sum = 0;
  for (int i = 0; i < columns; ++i) most = fmaxf(most, x[i]);
  for (int i = 0; i < columns; ++i) sum += expf(x[i] - most);
  for (int i = 0; i < columns; ++i) out[size_t(row) * columns + i] = expf(x[i] - most) / sum;
}

}  // namespace

extern "C" void solve(const float* in, float* out, int rows, int columns) {
  naive<<<(rows + kThreads - 1) / kThreads, kThreads>>>(in, out, rows, columns);
}
