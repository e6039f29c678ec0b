// verdict: wrong-value
// why: when the maximum grows, the sum so far is not rescaled
#include <cuda_runtime.h>

// A maximum and the sum of exponentials relative to it.
struct State {
  float most, sum;
};

__device__ State join(State a, State b) {
  float most = fmaxf(a.most, b.most);
  if (most == -INFINITY) return a;
  return {most, a.sum + b.sum * expf(b.most - most)};
}

__device__ State join_block(State s) {
  __shared__ State part[256];
  int t = threadIdx.x;
  part[t] = s;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] = join(part[t], part[t + step]);
    __syncthreads();
  }
  return part[0];
}

__global__ void partial(const float* input, State* states, int N) {
  State s{-INFINITY, 0};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) s = join(s, State{input[i], 1});
  s = join_block(s);
  if (threadIdx.x == 0) states[blockIdx.x] = s;
}

__global__ void final(State* states, int count) {
  State s{-INFINITY, 0};
  for (int i = threadIdx.x; i < count; i += blockDim.x) s = join(s, states[i]);
  s = join_block(s);
  if (threadIdx.x == 0) states[0] = s;
}

__global__ void quotients(const float* input, const State* states, float* output, int N) {
  float most = states[0].most, scale = 1 / states[0].sum;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) output[i] = expf(input[i] - most) * scale;
}

extern "C" void solve(const float* input, float* output, int N) {
  int blocks = (N + 255) / 256 < 128 ? (N + 255) / 256 : 128;
  State* states;
  cudaMalloc(&states, blocks * sizeof(State));
  partial<<<blocks, 256>>>(input, states, N);
  final<<<1, 256>>>(states, blocks);
  quotients<<<blocks, 256>>>(input, states, output, N);
  cudaFree(states);
}
