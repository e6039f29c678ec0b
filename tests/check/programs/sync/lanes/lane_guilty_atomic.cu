// Lane 8 is another group's, and what it has is added all the same.
// options: --only=sync
// says: an atomic operation works with the value
__global__ void k(const int* in, int* out) {
  const unsigned group = 0xffu << (threadIdx.x / 8 * 8);
  int next = __shfl_down_sync(group, in[threadIdx.x], 1);  // finds C0405
  atomicAdd(out, next);                                    // finds C0405
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 4);
  cudaMemset(out, 0, 4);
  k<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
