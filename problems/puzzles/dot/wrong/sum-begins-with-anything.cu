// verdict: uninitialised
// why: the sum is never set to zero
extern "C" __global__ void dot(float* out, const float* a, const float* b, int n) {
  __shared__ float sum;
  int i = threadIdx.x;
  if (i < n) atomicAdd(&sum, a[i] * b[i]);
  __syncthreads();
  if (i == 0) out[0] = sum;
}
