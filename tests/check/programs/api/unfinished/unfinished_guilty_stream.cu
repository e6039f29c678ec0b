// Waiting for one stream is not waiting for the other.
__global__ void k() {}
int main() {
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  k<<<1, 1, 0, a>>>();
  k<<<1, 1, 0, b>>>();  // finds C0511
  cudaStreamSynchronize(a);
}
