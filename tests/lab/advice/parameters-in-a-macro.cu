// problem: puzzles/map
// verdict: wrong-value
// says: out[0] is
// not: this file has
// not: wrong signature
// What the text of a signature does not show is no reason for a verdict.
#define PARAMETERS float *out, const float *a
extern "C" __global__ void map(PARAMETERS) {
  int i = threadIdx.x;
  out[i] = a[i] + 11;
}
