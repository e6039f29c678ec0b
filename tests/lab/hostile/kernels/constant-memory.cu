// verdict: does-not-compile
// The evaluator of constants is to fill the memory.
constexpr unsigned fill() {
  unsigned* all[64] = {};
  for (auto& one : all) one = new unsigned[1u << 28]{1};
  unsigned first = all[63][0];
  for (auto& one : all) delete[] one;
  return first;
}
static_assert(fill() == 1);
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  out[i] = a[i] + 10;
}
