// problem: challenges/vector-add
// verdict: failed-call
// says: cudaErrorInvalidConfiguration
// not: never written
__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = threadIdx.x;
  C[i] = A[i] + B[i];
}
extern "C" void solve(const float* A, const float* B, float* C, int N) { add<<<1, N>>>(A, B, C, N); }
