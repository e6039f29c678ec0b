// verdict: race
// why: counters are cleared while one thread still reads them
#include <cuda_runtime.h>

// Whole numbers in the order of the floating-point ones.
__device__ unsigned key_of(float x) {
  unsigned bits = __float_as_uint(x);
  return bits & 0x80000000 ? ~bits : bits | 0x80000000;
}

// What is known of the k-th largest key: its upper bits, and how many of those that begin like it are still to be taken.
struct State {
  unsigned prefix;
  int wanted, taken;
  int counts[256];
};

__global__ void begin(State* s, int k) {
  s->counts[threadIdx.x] = 0;
  if (threadIdx.x == 0) s->prefix = 0, s->wanted = k, s->taken = 0;
}

__global__ void count(const float* input, State* s, int N, int shift) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    unsigned key = key_of(input[i]);
    if (shift == 24 || (key >> (shift + 8)) == s->prefix) atomicAdd(&mine[key >> shift & 255], 1);
  }
  __syncthreads();
  if (mine[threadIdx.x]) atomicAdd(&s->counts[threadIdx.x], mine[threadIdx.x]);
}

__global__ void narrow(State* s) {
  if (threadIdx.x == 0) {
    int digit = 255;
    while (s->counts[digit] < s->wanted) s->wanted -= s->counts[digit--];
    s->prefix = s->prefix << 8 | digit;
  }
  s->counts[threadIdx.x] = 0;
}

// Those above the k-th; and of those equal to it as many as are wanted.
__global__ void gather(const float* input, State* s, float* found, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  unsigned key = key_of(input[i]);
  if (key > s->prefix || (key == s->prefix && atomicSub(&s->wanted, 1) > 0)) found[atomicAdd(&s->taken, 1)] = input[i];
}

__global__ void order(const float* found, float* output, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= k) return;
  int before = 0;
  for (int j = 0; j < k; ++j) before += found[j] > found[i] || (found[j] == found[i] && j < i);
  output[before] = found[i];
}

extern "C" void solve(const float* input, float* output, int N, int k) {
  State* state;
  float* found;
  cudaMalloc(&state, sizeof(State));
  cudaMalloc(&found, k * sizeof(float));
  int blocks = (N + 255) / 256;
  begin<<<1, 256>>>(state, k);
  for (int shift = 24; shift >= 0; shift -= 8) {
    count<<<blocks < 64 ? blocks : 64, 256>>>(input, state, N, shift);
    narrow<<<1, 256>>>(state);
  }
  gather<<<blocks, 256>>>(input, state, found, N);
  order<<<(k + 255) / 256, 256>>>(found, output, k);
  cudaFree(state);
  cudaFree(found);
}
