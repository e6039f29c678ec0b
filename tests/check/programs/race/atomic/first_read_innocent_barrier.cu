// clean: the plain reads are over when the swaps begin
__global__ void k(int* out) {
  __shared__ int best;
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  int old = best;
  __syncthreads();
  while (old < (int)threadIdx.x) {
    int seen = atomicCAS(&best, old, threadIdx.x);
    if (seen == old) break;
    old = seen;
  }
  __syncthreads();
  out[threadIdx.x] = best;
}
int main() {
  int* out;
  cudaMalloc(&out, 256);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
