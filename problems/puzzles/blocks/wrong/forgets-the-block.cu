// verdict: unwritten
// why: all blocks do the first one's elements
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = a[i] + 10;
}
