// verdict: crashed
// Local memory whose size is not known before the kernel runs.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  const unsigned long long bytes = a[i] > 1e30f ? 16 : 1ull << 36;
  volatile char* much = static_cast<char*>(alloca(bytes));
  for (unsigned long long k = 0; k < bytes; k += 4096) much[k] = 1;
  out[i] = a[i] + 10;
}
