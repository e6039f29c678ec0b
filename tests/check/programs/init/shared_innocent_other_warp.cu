// clean: another warp fills it
__global__ void k(int* out) {
  __shared__ int s[32];
  if (threadIdx.x >= 32) s[threadIdx.x - 32] = 1;
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = s[threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
