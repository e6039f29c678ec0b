// The kernel writes half of what is copied.
__global__ void k(int* out) { out[threadIdx.x] = 1; }
int main() {
  int host[64], *out;
  cudaMalloc(&out, sizeof host);
  k<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);  // finds C0304
  cudaFree(out);
}
