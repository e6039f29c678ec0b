// verdict: out-of-bounds
// why: the first two threads reach before the tile
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ float tile[192];
  int i = threadIdx.x;

  if (i < n) tile[i] = a[i];
  __syncthreads();
  if (i < n) out[i] = tile[i] + tile[i - 1] + tile[i - 2];
}
