// verdict: race
// why: __syncwarp orders a warp; the neighbours of its first threads are in another one
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ float tile[192];
  int i = threadIdx.x;

  if (i < n) tile[i] = a[i];
  __syncwarp();
  if (i >= n) return;
  float sum = tile[i];
  if (i >= 1) sum += tile[i - 1];
  if (i >= 2) sum += tile[i - 2];
  out[i] = sum;
}
