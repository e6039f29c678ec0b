// verdict: out-of-bounds
// why: the index into b is one too large
extern "C" __global__ void zip(float* out, const float* a, const float* b) {
  int i = threadIdx.x;
  out[i] = a[i] + b[i + 1];
}
