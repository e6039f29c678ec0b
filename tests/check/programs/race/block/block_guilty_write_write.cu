// says: let one thread write it
// does not say: put __syncthreads() between
__global__ void k(int* out) {
  __shared__ int s;
  s = threadIdx.x;  // finds C0201
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
