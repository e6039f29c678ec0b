// The counter is cleared by one thread while others count.
__global__ void k(int* out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = 0;  // finds C0206
  atomicAdd(&n, 1);  // finds C0206
  __syncthreads();
  if (threadIdx.x == 0) *out = n;
}
int main() {
  int* out;
  cudaMalloc(&out, 4);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
