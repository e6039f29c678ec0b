// A loop whose counter stands still: no barrier has anything to do with it.
// options: --timeout=1
// says: what makes its condition false for this thread
// does not say: let every thread that the barrier counts reach it
// does not say: put __syncthreads()
__global__ void fill(int* x, int n) {
  for (int i = threadIdx.x; i < n;) x[i] = 1;  // finds C0407
}

int main() {
  int* x;
  cudaMalloc(&x, 128);
  fill<<<1, 32>>>(x, 32);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e == cudaSuccess;
}
