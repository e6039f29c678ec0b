// verdict: accepted
// A right answer, and then an exit in a destructor of a static object, while the runtime is being torn down.
#include <cuda_runtime.h>
#include <cstdlib>
struct Late { ~Late() { std::exit(0); } } late;

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
