// verdict: race
// why: all threads write the first element
extern "C" __global__ void zip(float* out, const float* a, const float* b) {
  int i = threadIdx.x;
  out[0] = a[i] + b[i];
}
