// options: --with=numbers
// clean: a short is added as an int, what is too much is cut off by a conversion, and a shift drops bits
__global__ void k(short* x, int* y) {
  x[threadIdx.x] += 1;
  y[threadIdx.x] = (y[threadIdx.x] << 31) + -2147483647;
  signed char c = 100;
  c += (signed char)threadIdx.x;
  x[threadIdx.x] ^= c;
}
int main() {
  short* x;
  int* y;
  cudaMalloc(&x, 64);
  cudaMalloc(&y, 128);
  short host[32];
  for (short& h : host) h = 32767;
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(y, 0, 128);
  k<<<1, 32>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
