// One past the end of the middle of three shared arrays.
__global__ void k(int* out) {
  __shared__ char flags[5];
  __shared__ float sums[33];
  __shared__ double parts[2];
  if (threadIdx.x < 5) flags[threadIdx.x] = 1;
  if (threadIdx.x < 2) parts[threadIdx.x] = 0;
  sums[threadIdx.x] = 0;  // finds C0107
  __syncthreads();
  out[threadIdx.x] = flags[0] + sums[0] + parts[0];
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  k<<<1, 34>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
