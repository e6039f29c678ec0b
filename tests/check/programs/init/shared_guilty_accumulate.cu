// The histogram is not cleared.
__global__ void k(int* out) {
  __shared__ int bins[8];
  atomicAdd(&bins[threadIdx.x % 8], 1);  // finds C0302
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = bins[threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 32);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
