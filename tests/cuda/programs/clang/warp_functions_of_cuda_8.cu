// Votes and shuffles without a mask, which CUDA 9 replaced: for the lanes that are active. A program's own function of
// such a name takes precedence.
#include <cstdio>

static __device__ float __shfl_xor(float value, int lanes) { return value + lanes; }

__global__ void ask(int* out) {
  const int lane = threadIdx.x;
  int sum = lane;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down(sum, step);
  double halves = __shfl_up(lane + 0.5, 1, 16);
  if (lane % 2 == 0) {
    if (lane == 0) out[0] = sum;
    unsigned int even = __ballot(1);
    if (lane == 2) out[1] = even == 0x55555555u && __all(lane % 2 == 0) && !__any(lane == 3);
  }
  if (lane == 17) out[2] = int(2 * halves), out[3] = int(__shfl_xor(1.5f, 2));
  const unsigned long long far = __shfl(0x100000000ull + lane, 31);
  if (lane == 5) out[4] = int(far >> 32) * 100 + int(far);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 5 * sizeof *out);
  ask<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 5; ++i) printf("%d\n", out[i]);
}
