// A block for each row, k rounds: the largest of those that come after the one found before, the first of equals first.
// Floats are only compared, so nothing can be inexact.
namespace {

constexpr int kThreads = 1024;

__device__ bool comes_before(float a, int i, float b, int j) { return a > b || (a == b && i < j); }

__global__ void top(const float* in, float* values, int* indices, int columns, int k) {
  __shared__ float best[kThreads];
  __shared__ int places[kThreads];
  const float* x = in + size_t(blockIdx.x) * columns;
  int t = int(threadIdx.x), last_place = -1;
  float last = INFINITY;
  for (int round = 0; round < k; ++round) {
    float mine = -INFINITY;
    int place = columns;
    for (int i = t; i < columns; i += kThreads)
      if (comes_before(last, last_place, x[i], i) && comes_before(x[i], i, mine, place)) mine = x[i], place = i;
    best[t] = mine, places[t] = place;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
      if (t < half && comes_before(best[t + half], places[t + half], best[t], places[t]))
        best[t] = best[t + half], places[t] = places[t + half];
      __syncthreads();
    }
    last = best[0], last_place = places[0];
    if (t == 0) {
      values[size_t(blockIdx.x) * k + round] = last;
      indices[size_t(blockIdx.x) * k + round] = last_place;
    }
    __syncthreads();
  }
}

}  // namespace

extern "C" void reference(const float* in, float* values, int* indices, int rows, int columns, int k) {
  top<<<rows, kThreads>>>(in, values, indices, columns, k);
}
