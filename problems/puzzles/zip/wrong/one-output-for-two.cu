// verdict: race
// why: two threads share an element of the output
extern "C" __global__ void zip(float* out, const float* a, const float* b) {
  int i = threadIdx.x;
  out[i / 2] = a[i] + b[i];
}
