// verdict: crashed
// says: bytes of local memory
// A gigabyte of local memory for each thread.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  volatile char much[1 << 29];
  much[i] = 1;
  out[i] = a[i] + 9 + much[i];
}
