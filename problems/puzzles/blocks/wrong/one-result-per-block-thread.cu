// verdict: race
// why: reads the right element, and writes where every block writes
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) out[threadIdx.x] = a[i] + 10;
}
