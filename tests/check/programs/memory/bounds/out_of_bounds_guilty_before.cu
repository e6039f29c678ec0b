// The left neighbour of the first element.
__global__ void shift(const int* in, int* out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = in[i - 1];  // finds C0101
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  shift<<<1, 64>>>(in, out, 64);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
