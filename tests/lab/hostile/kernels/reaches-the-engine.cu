// verdict: out-of-bounds
// An address that becomes one of the engine's process when the distance to the engine's view is added: the loader's usual place.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  unsigned long long host = 0x7ffff7dd0000ull;
  *reinterpret_cast<volatile int*>(host - (1ull << 46)) = 1;
  out[i] = a[i] + 10;
}
