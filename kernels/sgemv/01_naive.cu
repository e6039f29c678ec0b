// step: one thread for each row
//
// Expected: a twentieth of what reading takes. Lanes read from 32 rows, a sector of 32 bytes for each float, and use
// the rest of the sector only if the L1 cache still has it in the next rounds. 4096 rows are 128 warps, one per SM.
//
// Found (H200, 2026-11-23): 0.05 of reading at 4096²; 0.09 at 8192²; 0.17 at 16384².
namespace {

constexpr int kThreads = 128;

__global__ void naive(const float* a, const float* x, float* y, int rows, int columns) {
  int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += a[size_t(row) * columns + i] * x[i];
  y[row] = sum;
}

}  // namespace

extern "C" void solve(const float* a, const float* x, float* y, int rows, int columns) {
  naive<<<(rows + kThreads - 1) / kThreads, kThreads>>>(a, x, y, rows, columns);
}
