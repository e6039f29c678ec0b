// problem: puzzles/guards
// verdict: wrong-signature
// says: the problem asks for: __global__ void guards(float* out, const float* a, int n)
// not: which thread should write this element
// says: `n` is a `float` here, and the problem gives an `int`
// The bits of a small whole number are nearly zero as a float, so that no thread has an element.
extern "C" __global__ void guards(float* out, const float* a, float n) {
  int i = threadIdx.x;
  if (i < n) out[i] = a[i] + 10;
}
