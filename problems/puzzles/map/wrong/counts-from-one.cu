// verdict: out-of-bounds
// why: indices start at 1, so the last thread is past the end
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x + 1;
  out[i] = a[i] + 10;
}
