// clean: each lane its own element
__global__ void k(int* out) {
  __shared__ int s[32];
  int i = threadIdx.x;
  s[i] = i;
  out[i] = s[i];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
