// verdict: uninitialised
// why: adds to what is in the output, which was never written
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) out[i] += a[i] + 10;
}
