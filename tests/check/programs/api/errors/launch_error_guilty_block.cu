__global__ void k() {}
int main() {
  k<<<1, 2048>>>();  // finds C0508
  cudaDeviceSynchronize();
}
