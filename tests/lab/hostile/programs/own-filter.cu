// verdict: forbidden
// says: fork
// A filter of its own that allows each system call, on top of the judge's.
#include <cuda_runtime.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

__global__ void add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) C[i] = A[i] + B[i];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  sock_filter allow{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  sock_fprog filter{1, &allow};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
  if (fork() == 0) _exit(0);
  add<<<(N + 255) / 256, 256>>>(A, B, C, N);
  cudaDeviceSynchronize();
}
