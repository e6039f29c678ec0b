// A callback that was not set.
typedef int (*Operation)(int);
__device__ Operation operation;
__global__ void k(int* x) { x[threadIdx.x] = operation(threadIdx.x); }  // finds C0114
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e == cudaErrorInvalidValue;
}
