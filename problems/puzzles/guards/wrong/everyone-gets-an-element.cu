// verdict: over-budget
// why: the threads without an element repeat the last one instead of doing nothing
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = min((int)threadIdx.x, n - 1);
  out[i] = a[i] + 10;
}
