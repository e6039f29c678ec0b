__global__ void k(int* out) {
  __shared__ int s[32];
  int i = threadIdx.x;
  s[i] = i;  // finds C0202
  out[i] = s[31 - i];  // finds C0202
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
