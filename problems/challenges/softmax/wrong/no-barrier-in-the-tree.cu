// verdict: race
// why: no barrier between the levels of the second tree
#include <cuda_runtime.h>

__global__ void softmax(const float* input, float* output, int N) {
  __shared__ float part[256];
  int t = threadIdx.x;
  float most = -INFINITY;
  for (int i = t; i < N; i += 256) most = fmaxf(most, input[i]);
  part[t] = most;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] = fmaxf(part[t], part[t + step]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < N; i += 256) sum += expf(input[i] - most);
  part[t] = sum;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
  }
  sum = part[0];
  for (int i = t; i < N; i += 256) output[i] = expf(input[i] - most) / sum;
}

extern "C" void solve(const float* input, float* output, int N) {
  softmax<<<1, 256>>>(input, output, N);
}
