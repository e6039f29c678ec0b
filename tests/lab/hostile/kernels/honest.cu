// verdict: accepted
// The right answer, so that a refusal of the others means something.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
