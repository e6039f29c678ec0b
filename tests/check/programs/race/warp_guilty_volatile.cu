// volatile keeps the accesses, and orders nothing between threads.
__global__ void k(int* out) {
  __shared__ volatile int s[32];
  int i = threadIdx.x;
  s[i] = i;  // finds C0202
  out[i] = s[(i + 1) % 32];  // finds C0202
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
