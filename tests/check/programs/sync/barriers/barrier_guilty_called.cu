// The barrier stands in a function; the guard that goes to the end of the kernel is around its call.
__device__ int neighbours(const int* s, int i) {
  int v = s[i ^ 1];
  __syncthreads();  // finds C0401
  return v;
}
__global__ void k(int* x, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = i;
  __syncthreads();
  if (i < n) {
    s[i] = neighbours(s, i);
    x[i] = s[i];
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  k<<<1, 64>>>(x, 40);
  cudaDeviceSynchronize();
  cudaFree(x);
}
