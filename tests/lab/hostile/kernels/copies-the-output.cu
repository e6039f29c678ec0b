// verdict: uninitialised
// Adds nothing to what lies there already, from an earlier run perhaps.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = out[i] + 0.0f;
}
