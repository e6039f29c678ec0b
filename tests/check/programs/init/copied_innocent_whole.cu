// clean
__global__ void k(int* out) { out[threadIdx.x] = 1; }
int main() {
  int host[64], *out;
  cudaMalloc(&out, sizeof host);
  k<<<1, 64>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
}
