// verdict: out-of-bounds
// Walks through the addresses where stacks lie, for the expected answer.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  for (unsigned long long p = 0x7ffffffde000ull; p < 0x7ffffffff000ull; p += 4096)
    out[i] += *reinterpret_cast<volatile float*>(p - (1ull << 46));
}
