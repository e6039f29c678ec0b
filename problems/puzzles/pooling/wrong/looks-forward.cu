// verdict: uninitialised
// why: the window lies on the wrong side, and its end sticks out
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ float tile[192];
  int i = threadIdx.x;

  if (i < n) tile[i] = a[i];
  __syncthreads();
  if (i < n) out[i] = tile[i] + tile[(i + 1) % 192] + tile[(i + 2) % 192];
}
