// Every lane reads every element, and no lane waits before they are overwritten: one cause, although of some elements the writer is the reader
// that is remembered.
__global__ void sums(int* x, int rounds) {
  __shared__ int s[32];
  int i = threadIdx.x;
  s[i] = i;
  for (int round = 0; round < rounds; ++round) {
    __syncwarp();
    int sum = 0;
    for (int j = 0; j < 32; ++j) sum += s[(i + j + 1) % 32];  // finds C0202
    s[i] = sum & 255;                                         // finds C0202
  }
  x[i] = s[i];
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  sums<<<1, 32>>>(x, 3);
  cudaDeviceSynchronize();
  cudaFree(x);
}
