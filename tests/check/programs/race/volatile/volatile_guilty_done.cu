// One thread says what is to be done, and the others look before it can have said so. That the word is volatile orders nothing.
__global__ void settle(float* x) {
  __shared__ volatile bool small;
  if (threadIdx.x == 0) small = x[64] < 1;  // finds C0201
  if (small) x[threadIdx.x] = 0;            // finds C0201
}
int main() {
  float* x;
  cudaMalloc(&x, 65 * sizeof(float));
  cudaMemset(x, 0, 65 * sizeof(float));
  settle<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
