// verdict: over-budget
// why: stores a first, and the sum over it: a second write, and a read of what was just written
extern "C" __global__ void zip(float* out, const float* a, const float* b) {
  int i = threadIdx.x;
  out[i] = a[i];
  out[i] += b[i];
}
