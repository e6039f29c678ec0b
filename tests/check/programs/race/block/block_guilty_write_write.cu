__global__ void k(int* out) {
  __shared__ int s;
  s = threadIdx.x;  // finds C0201, C0202
  __syncthreads();
  if (threadIdx.x == 0) *out = s;
}
int main() {
  int* out;
  cudaMalloc(&out, 4);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
