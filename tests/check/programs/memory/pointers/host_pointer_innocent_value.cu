// clean: the address is only a number
__global__ void k(void* p, unsigned long long* out) { *out = (unsigned long long)p; }
int main() {
  int host;
  unsigned long long* out;
  cudaMalloc(&out, 8);
  k<<<1, 1>>>(&host, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
