// verdict: wrong-value
// why: every thread adds the first element of b
extern "C" __global__ void zip(float* out, const float* a, const float* b) {
  int i = threadIdx.x;
  out[i] = a[i] + b[0];
}
