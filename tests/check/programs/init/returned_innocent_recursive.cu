// Each call of a function that calls itself has its own array, and gives its caller's back.
// clean
__device__ int* longest(int* mine, int n) {
  int own[3] = {n, n * 2, n * 3};
  if (n == 0) return mine;
  int* best = longest(own, n - 1);
  mine[0] += best[0] + own[1];
  return mine;
}
__global__ void k(int* out) {
  int own[3] = {1, 2, 3};
  out[threadIdx.x] = longest(own, threadIdx.x % 4)[0];
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
