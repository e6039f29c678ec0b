// verdict: over-budget
// why: each block strides over all elements, so that all is done as often as there are blocks
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = a[i] + 10;
}
