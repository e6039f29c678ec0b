__global__ void k(int* out) {
  __shared__ int s;
  s = 7;  // finds C0209
  __syncthreads();
  out[threadIdx.x] = s;
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
