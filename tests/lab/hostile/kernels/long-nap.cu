// verdict: too-slow
// within: 20
// Each thread sleeps as long as the device lets it, again and again.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  for (long long k = 0; k < 1000000000000; ++k) __nanosleep(1000000000);
  out[i] = a[i] + 10;
}
