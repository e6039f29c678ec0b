// verdict: too-slow
// A loop without end on the device.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  volatile float* o = out;
  while (o[0] != 12345.0f) o[i] = a[i];
}
