// solution: two zeros in front of the tile: no special cases for the first elements
extern "C" __global__ void pooling(float* out, const float* a, int n) {
  __shared__ float tile[192 + 2];
  int i = threadIdx.x;
  if (i == 0) tile[0] = tile[1] = 0;
  if (i < n) tile[i + 2] = a[i];
  __syncthreads();
  if (i < n) out[i] = tile[i] + tile[i + 1] + tile[i + 2];
}
