// says: let one thread do it, use an atomic operation
// does not say: put __syncthreads() between the two accesses
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
