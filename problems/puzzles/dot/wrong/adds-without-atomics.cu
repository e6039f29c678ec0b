// verdict: race
// why: all threads add to one place at once
extern "C" __global__ void dot(float* out, const float* a, const float* b, int n) {
  __shared__ float sum;
  int i = threadIdx.x;
  if (i == 0) sum = 0;
  __syncthreads();
  if (i < n) sum += a[i] * b[i];
  __syncthreads();
  if (i == 0) out[0] = sum;
}
