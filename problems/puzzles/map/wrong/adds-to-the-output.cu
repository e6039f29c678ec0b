// verdict: uninitialised
// why: adds to what is in the output, which was never written
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] += a[i] + 10;
}
