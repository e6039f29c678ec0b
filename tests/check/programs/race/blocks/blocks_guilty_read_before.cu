// The same thread of every block reads, and the last block writes: it is another block's reader that matters.
__global__ void k(double* n, double* out) {
  const double before = *n;  // finds C0203
  out[blockIdx.x] = before;
  if (blockIdx.x == gridDim.x - 1) *n = before + 1;  // finds C0203
}
int main() {
  double* n;
  cudaMalloc(&n, 9 * sizeof(double));
  cudaMemset(n, 0, 9 * sizeof(double));
  k<<<8, 1>>>(n, n + 1);
  cudaDeviceSynchronize();
  cudaFree(n);
}
