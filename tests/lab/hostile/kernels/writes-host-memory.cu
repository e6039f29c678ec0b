// verdict: out-of-bounds
// An address of the host, straight.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  *reinterpret_cast<volatile int*>(0x7fffdeadbee0ull) = 1;
  out[i] = a[i] + 10;
}
