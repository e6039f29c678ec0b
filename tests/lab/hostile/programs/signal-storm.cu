// verdict: accepted
// A signal each millisecond, which interrupts the calls of the runtime.
#include <cuda_runtime.h>
#include <signal.h>
#include <sys/time.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  struct sigaction handler {};
  handler.sa_handler = [](int) {};
  handler.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &handler, nullptr);
  itimerval often{{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &often, nullptr);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
