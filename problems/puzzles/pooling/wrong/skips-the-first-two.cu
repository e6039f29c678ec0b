// verdict: unwritten
// why: leaves out the elements that have no two before them
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ float tile[192];
  int i = threadIdx.x;

  if (i < n) tile[i] = a[i];
  __syncthreads();
  if (i >= 2 && i < n) out[i] = tile[i] + tile[i - 1] + tile[i - 2];
}
