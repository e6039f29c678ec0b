// solution: four elements per access, and the rest one by one
#include <cuda_runtime.h>

__device__ float silu(float x) { return __fdividef(x, 1.0f + __expf(-x)); }

__global__ void silu_all(const float* input, float* output, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int fours = N / 4;
  if (i < fours) {
    float4 x = reinterpret_cast<const float4*>(input)[i];
    reinterpret_cast<float4*>(output)[i] = make_float4(silu(x.x), silu(x.y), silu(x.z), silu(x.w));
  }
  int rest = fours * 4 + i;
  if (i < 4 && rest < N) output[rest] = silu(input[rest]);
}

extern "C" void solve(const float* input, float* output, int N) {
  int work = N / 4 > 4 ? N / 4 : 4;
  silu_all<<<(work + 255) / 256, 256>>>(input, output, N);
}
