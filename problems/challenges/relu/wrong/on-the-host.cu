// verdict: crashed
// why: works on the host, which cannot read device memory
#include <cuda_runtime.h>

extern "C" void solve(const float* input, float* output, int N) {
  for (int i = 0; i < N; ++i) output[i] = input[i] > 0 ? input[i] : 0;
}
