// verdict: changed-input
// why: keeps the sum in b, too
extern "C" __global__ void zip(float* out, const float* a, const float* b) {
  int i = threadIdx.x;
  float* sum = const_cast<float*>(b);
  sum[i] += a[i];
  out[i] = sum[i];
}
