// verdict: out-of-bounds
// why: threads without an element read past the end
extern "C" __global__ void dot(float* out, const float* a, const float* b, int n) {
  __shared__ float products[256];
  int i = threadIdx.x;

  products[i] = a[i] * b[i];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (i < half) products[i] += products[i + half];
    __syncthreads();
  }
  if (i == 0) out[0] = products[0];
}
