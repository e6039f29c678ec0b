// problem: challenges/vector-add
// verdict: wrong-signature
// says: `resolve` (line 12) has the parameters of the problem, and the judge calls `solve`
// says: there is no `solve` with the parameters that the problem gives it
// says: the problem asks for: extern "C" void solve(const float* A, const float* B, float* C, int N)
// not: does not compile
// not: undefined symbol
__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}
void resolve(const float* A, const float* B, float* C, int N) { add<<<(N + 255) / 256, 256>>>(A, B, C, N); }
