// verdict: wrong-value
// Zeros, in case the comparison is lax.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = 0;
}
