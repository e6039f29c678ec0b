// options: --with=numbers
// The smallest number has no opposite, and no quotient by -1; in independent-thread mode, too.
__device__ long long opposite(long long x) {
  return -x;  // finds C0604
}
__global__ void k(long long* x) {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  while (turn != threadIdx.x) __nanosleep(10);
  x[threadIdx.x] = opposite(x[threadIdx.x]);
  x[threadIdx.x] /= -1;  // finds C0604
  __threadfence_block();
  turn = turn + 1;
}
int main() {
  long long host[2] = {1ll << 63, 7}, *x;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  k<<<1, 2>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
