// Threads that take turns, one by one (a wait for others in the kernel).
#include <cassert>
#include <cstdio>
__global__ void in_turn(int* turn, int* out) {
  int i = threadIdx.x;
  while (atomicAdd(turn, 0) != i) {}
  __threadfence();
  assert(out[0] == i);  // finds C0701
  out[0] = i == 5 ? 7 : i + 1;
  __threadfence();
  atomicAdd(turn, 1);
}
int main() {
  int *turn, *out;
  cudaMalloc(&turn, 4);
  cudaMalloc(&out, 4);
  cudaMemset(turn, 0, 4);
  cudaMemset(out, 0, 4);
  in_turn<<<1, 16>>>(turn, out);
  if (cudaError_t e = cudaDeviceSynchronize()) std::printf("%s\n", cudaGetErrorName(e));
  cudaFree(turn);
  cudaFree(out);
}
