// What the first block left is not the second's.
__global__ void k(int* out) {
  __shared__ int s;
  if (threadIdx.x == 0 && blockIdx.x == 0) s = 1;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = s;  // finds C0302
}
int main() {
  int* out;
  cudaMalloc(&out, 8);
  k<<<2, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
