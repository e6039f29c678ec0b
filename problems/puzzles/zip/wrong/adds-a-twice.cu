// verdict: wrong-value
// why: reads a where b is meant
extern "C" __global__ void zip(float* out, const float* a, const float* b) {
  int i = threadIdx.x;
  out[i] = a[i] + a[i];
}
