// clean: what is not read need not be written
__global__ void k(int* out) {
  __shared__ int s[1024];
  s[threadIdx.x * 7] = 1;
  out[threadIdx.x] = s[threadIdx.x * 7];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
