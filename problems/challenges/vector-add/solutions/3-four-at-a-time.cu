// solution: four elements per access, and the rest one by one
#include <cuda_runtime.h>

__global__ void vector_add(const float* A, const float* B, float* C, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int fours = N / 4;
  if (i < fours) {
    float4 a = reinterpret_cast<const float4*>(A)[i], b = reinterpret_cast<const float4*>(B)[i];
    reinterpret_cast<float4*>(C)[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  }
  int rest = fours * 4 + i;
  if (i < 4 && rest < N) C[rest] = A[rest] + B[rest];
}

extern "C" void solve(const float* A, const float* B, float* C, int N) {
  int work = N / 4 > 4 ? N / 4 : 4;
  vector_add<<<(work + 255) / 256, 256>>>(A, B, C, N);
}
