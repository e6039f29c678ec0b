// The guard of the last block keeps threads from the barrier, and they are still there afterwards.
__global__ void k(int* x, int n) {
  __shared__ int s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) {
    s[threadIdx.x] = x[i];
    __syncthreads();  // finds C0401
    x[i] = s[threadIdx.x];
  }
  if (i == n) x[n] = 1;
}
int main() {
  int* x;
  cudaMalloc(&x, 512);
  cudaMemset(x, 0, 512);
  k<<<1, 64>>>(x, 50);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e != cudaSuccess && e != cudaErrorLaunchTimeout && e != cudaErrorLaunchFailure;
}
