// verdict: wrong-value
// why: repeats the first element where terms should be left out
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ float tile[192];
  int i = threadIdx.x;

  if (i < n) tile[i] = a[i];
  __syncthreads();
  if (i < n) out[i] = tile[i] + tile[max(i - 1, 0)] + tile[max(i - 2, 0)];
}
