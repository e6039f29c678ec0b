// verdict: changed-input
// why: the input is written through a cast, too
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  ((float*)a)[i] += 10;
  out[i] = a[i];
}
