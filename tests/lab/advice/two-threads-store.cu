// problem: puzzles/blocks
// verdict: over-budget
// says: two threads store out[0]
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + 10;
  if (i == 1) out[0] = a[0] + 10;
}
