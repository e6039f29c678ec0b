// verdict: wrong-value
// why: divides by N
#include <cuda_runtime.h>

__global__ void transform(const float2* signal, float2* spectrum, int N) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= N) return;
  float2 sum{0, 0};
  int turn = 0;  // k n modulo N
  for (int n = 0; n < N; ++n) {
    float s, c;
    sincospif(-2.0f * turn / N, &s, &c);
    float2 x = signal[n];
    sum.x += x.x * c - x.y * s;
    sum.y += x.x * s + x.y * c;
    turn += k;
    if (turn >= N) turn -= N;
  }
  spectrum[k] = float2{sum.x / N, sum.y / N};
}

extern "C" void solve(const float* signal, float* spectrum, int N) {
  transform<<<(N + 127) / 128, 128>>>(reinterpret_cast<const float2*>(signal), reinterpret_cast<float2*>(spectrum), N);
}
