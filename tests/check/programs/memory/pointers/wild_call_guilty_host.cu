// The host takes a device function's address, which is the host's.
typedef int (*Operation)(int);
__host__ __device__ int twice(int x) { return 2 * x; }
__global__ void k(int* x, Operation f) { x[threadIdx.x] = f(threadIdx.x); }  // finds C0114
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x, twice);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e == cudaErrorInvalidValue;
}
