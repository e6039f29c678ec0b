// The last lane holds the sum, and in the last warp it has returned; only lane 0 uses what it gets.
// says: let all lanes reach the shuffle
// does not say: __syncthreads()
__global__ void k(int* sums, int n) {
  int i = threadIdx.x, lane = i % 32, sum = 1;
  if (i >= n) return;
  for (int step = 1; step < 32; step *= 2) {
    int below = __shfl_up_sync(0xffffffff, sum, step);
    if (lane >= step) sum += below;
  }
  sum = __shfl_sync(0xffffffff, sum, 31);  // finds C0405
  if (lane == 0) sums[i / 32] = sum;       // finds C0405
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 64>>>(x, 40);
  cudaDeviceSynchronize();
  cudaFree(x);
}
