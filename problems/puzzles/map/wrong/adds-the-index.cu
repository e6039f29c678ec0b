// verdict: wrong-value
// why: adds the thread's index instead of 10
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + i;
}
