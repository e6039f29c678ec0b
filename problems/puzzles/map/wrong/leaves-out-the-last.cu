// verdict: unwritten
// why: the last element is left out
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  if (i < blockDim.x - 1) out[i] = a[i] + 10;
}
