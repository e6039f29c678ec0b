// clean: neighbouring bytes are different memory
__global__ void k(unsigned char* out) {
  __shared__ unsigned char s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[threadIdx.x] + 1;
}
int main() {
  unsigned char* out;
  cudaMalloc(&out, 64);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
