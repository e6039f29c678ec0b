// verdict: crashed
// says: host code accesses byte 0 of `C`
// The commonest mistake of all, in its plainest form.
#include <cuda_runtime.h>

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  C[0] = 1;
  for (int i = 0; i < N; ++i) C[i] = A[i] + B[i];
}
