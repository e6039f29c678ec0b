// verdict: wrong-value
// why: adds the thread's index instead of 10
extern "C" __global__ void guards(float* out, const float* a, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = a[i] + i;
}
