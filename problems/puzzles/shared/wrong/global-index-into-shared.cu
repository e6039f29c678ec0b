// verdict: out-of-bounds
// why: shared memory is indexed with the element's number in all of a
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  if (i < n) tile[i] = a[i];
  __syncthreads();
  if (i < n) out[i] = tile[i] + 10;
}
