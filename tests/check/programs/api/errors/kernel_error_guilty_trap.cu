// options: --only=api
__global__ void k() { __trap(); }
int main() {
  k<<<1, 1>>>();
  cudaDeviceSynchronize();  // finds C0512
}
