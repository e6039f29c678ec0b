// The guard is around a loop over barriers whose length the compiler does not know.
__global__ void k(int* x, int n, int width) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = i;
  __syncthreads();
  if (i < n) {
    for (int stride = width; stride > 0; stride /= 2) {
      if (i < stride) s[i] += s[i + stride];
      __syncthreads();  // finds C0401
    }
    x[i] = s[0];
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  k<<<1, 64>>>(x, 40, 32);
  cudaDeviceSynchronize();
  cudaFree(x);
}
