// n / 256 blocks are none when n is small.
__global__ void k(int n) { (void)n; }
int main() {
  int n = 100;
  k<<<n / 256, 256>>>(n);  // finds C0508
  cudaDeviceSynchronize();
}
