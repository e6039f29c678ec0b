// verdict: race
// why: all threads write the first element
extern "C" __global__ void map(float* out, const float* a) {
  out[0] = a[threadIdx.x] + 10;
}
