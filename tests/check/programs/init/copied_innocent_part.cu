// clean: only what was written is copied
__global__ void k(int* out) { out[threadIdx.x] = 1; }
int main() {
  int host[32], *out;
  cudaMalloc(&out, 1024);
  k<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
}
