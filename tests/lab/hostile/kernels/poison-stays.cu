// verdict: unwritten
// Nothing at all: what lay there before is not taken for an answer.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  if (a[i] > 1e30f) out[i] = 0;
}
