// verdict: out-of-bounds
// why: compares the index in the block with n
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (threadIdx.x < n) out[i] = a[i] + 10;
}
