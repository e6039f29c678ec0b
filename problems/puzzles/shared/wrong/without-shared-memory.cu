// verdict: over-budget
// why: goes straight from global to global memory, with a barrier for show
extern "C" __global__ void shared(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n) out[i] = x + 10;
}
