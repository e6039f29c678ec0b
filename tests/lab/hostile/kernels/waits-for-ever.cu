// verdict: too-slow
// Every thread waits for a flag that is never set.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  __shared__ volatile int flag;
  flag = 0;
  while (flag == 0) {}
  out[i] = a[i] + 10;
}
