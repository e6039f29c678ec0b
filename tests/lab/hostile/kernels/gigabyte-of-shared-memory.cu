// verdict: crashed
// says: bytes of shared memory
// A gigabyte of shared memory.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  __shared__ volatile char much[1 << 30];
  much[i] = 1;
  out[i] = a[i] + 10;
}
