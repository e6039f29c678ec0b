// An index that is past the table of functions.
typedef int (*Operation)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int half(int x) { return x / 2; }
__device__ Operation table[4] = {twice, half};
__global__ void k(int* x, int which) { x[threadIdx.x] = table[which](threadIdx.x); }  // finds C0114
int main() {
  int* x;
  cudaMalloc(&x, 128);
  k<<<1, 32>>>(x, 2);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e == cudaErrorInvalidValue;
}
