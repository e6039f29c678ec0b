// verdict: wrong-value
// why: writes the right element, and reads that of the first block
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) out[i] = a[threadIdx.x] + 10;
}
