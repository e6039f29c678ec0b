// problem: challenges/vector-add
// verdict: wrong-signature
// says: `B` is a `const double*` here, and the problem gives a `const float*`
// says: this file has: void solve(const float* A, const double* B, float* C, int N)
// says: the problem asks for: extern "C" void solve(const float* A, const float* B, float* C, int N)
// not: does not compile
// not: undefined symbol
__global__ void add(const float* A, const double* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

void solve(const float* A, const double* B, float* C, int N) { add<<<(N + 255) / 256, 256>>>(A, B, C, N); }
