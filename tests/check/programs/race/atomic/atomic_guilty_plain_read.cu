__global__ void k(int* n, int* out) {
  atomicAdd(n, 1);  // finds C0206
  out[blockIdx.x] = *n;  // finds C0206
}
int main() {
  int *n, *out;
  cudaMalloc(&n, 4);
  cudaMalloc(&out, 32);
  cudaMemset(n, 0, 4);
  k<<<8, 1>>>(n, out);
  cudaDeviceSynchronize();
  cudaFree(n);
  cudaFree(out);
}
