// verdict: out-of-bounds
// why: the last thread reads the element behind the last one
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i + 1] + 10;
}
