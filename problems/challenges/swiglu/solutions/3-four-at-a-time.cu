// solution: four elements per access where both halves are aligned, otherwise one by one
#include <cuda_runtime.h>

__device__ float silu(float x) { return __fdividef(x, 1.0f + __expf(-x)); }

__global__ void swiglu(const float* input, float* output, int N) {
  int half = N / 2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (half % 4 == 0) {
    if (i >= half / 4) return;
    float4 x = reinterpret_cast<const float4*>(input)[i], gate = reinterpret_cast<const float4*>(input + half)[i];
    reinterpret_cast<float4*>(output)[i] = make_float4(silu(x.x) * gate.x, silu(x.y) * gate.y, silu(x.z) * gate.z, silu(x.w) * gate.w);
  } else {
    for (int k = 4 * i; k < min(4 * i + 4, half); ++k) output[k] = silu(input[k]) * input[half + k];
  }
}

extern "C" void solve(const float* input, float* output, int N) {
  int work = (N / 2 + 3) / 4;
  swiglu<<<(work + 255) / 256, 256>>>(input, output, N);
}
