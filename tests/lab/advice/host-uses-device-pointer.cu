// problem: challenges/vector-add
// verdict: crashed
// says: host-uses-device-pointer.cu:9
// says: host code accesses byte 0 of `A`
// says: R0301
// not: signal 11
extern "C" void solve(const float* A, const float* B, float* C, int N) {
  for (int i = 0; i < N; ++i)
    C[i] = A[i] + B[i];
}
