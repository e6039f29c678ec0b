// verdict: out-of-bounds
// The shadow of its memory, to make every access look right.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  unsigned long long p = reinterpret_cast<unsigned long long>(out) + (1ull << 46) - (1ull << 44) - (1ull << 46);
  *reinterpret_cast<volatile unsigned long long*>(p) = ~0ull;
  out[i] = a[i] + 10;
}
