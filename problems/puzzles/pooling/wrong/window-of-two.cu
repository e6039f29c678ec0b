// verdict: wrong-value
// why: adds two elements instead of three
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ float tile[192];
  int i = threadIdx.x;

  if (i < n) tile[i] = a[i];
  __syncthreads();
  if (i >= n) return;
  float sum = tile[i];
  if (i >= 1) sum += tile[i - 1];
  out[i] = sum;
}
