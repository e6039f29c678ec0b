// step: one thread for each row, two passes over it
// takes: columns <= 65536
//
// The definition: the mean of the squares, the scaled elements.
//
// One thread adds up a row in float, and each addition rounds: beyond 65,536 columns the sum is too far from the right one.
//
// Expected: far from the memory's bandwidth. Lanes read from 32 different rows, and there are too few rows to fill a
// GPU with threads.
//
// Found (H200, 2026-11-23): 0.09 of a copy at 32768x1024; 0.09 at 16384x4096; 0.06 at 8192x16384; 0.03 at 4096x65536.
namespace {

constexpr int kThreads = 128;

__global__ void naive(const float* in, const float* gamma, float* out, int rows, int columns, float epsilon) {
  int row = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= rows) return;
  const float* x = in + size_t(row) * columns;
  float squares = 0;
  for (int i = 0; i < columns; ++i) squares += x[i] * x[i];
  float scale = rsqrtf(squares / columns + epsilon);
  for (int i = 0; i < columns; ++i) out[size_t(row) * columns + i] = x[i] * scale * gamma[i];
}

}  // namespace

extern "C" void solve(const float* in, const float* gamma, float* out, int rows, int columns, float epsilon) {
  naive<<<(rows + kThreads - 1) / kThreads, kThreads>>>(in, gamma, out, rows, columns, epsilon);
}
