// options: --with=outputs
// A bound in elements where blocks are meant: no thread gets past it.
__global__ void fill(int* out, int n) {
  if (n < int(threadIdx.x)) out[threadIdx.x] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 128);  // finds C0305
  fill<<<1, 32>>>(out, 32);
  cudaDeviceSynchronize();
  cudaFree(out);
}
