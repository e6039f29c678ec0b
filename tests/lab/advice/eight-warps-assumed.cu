// problem: puzzles/pooling
// verdict: out-of-bounds
// says: tile
// A tile of 64 elements where the statement allows 192 threads; right for the sample.
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ float tile[64];
  int i = threadIdx.x;
  if (i < n) tile[i] = a[i];
  __syncthreads();
  if (i < n) out[i] = tile[i] + (i > 0 ? tile[i - 1] : 0) + (i > 1 ? tile[i - 2] : 0);
}
