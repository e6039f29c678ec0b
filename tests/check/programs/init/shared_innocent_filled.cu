// clean
__global__ void k(int* out) {
  __shared__ int s[64];
  for (int i = threadIdx.x; i < 64; i += 32) s[i] = i;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + 32];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
