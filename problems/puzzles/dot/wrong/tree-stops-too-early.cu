// verdict: wrong-value
// why: the last step of the tree is missing
extern "C" __global__ void dot(float* out, const float* a, const float* b, int n) {
  __shared__ float products[256];
  int i = threadIdx.x;

  products[i] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 1; half /= 2) {
    if (i < half) products[i] += products[i + half];
    __syncthreads();
  }
  if (i == 0) out[0] = products[0];
}
