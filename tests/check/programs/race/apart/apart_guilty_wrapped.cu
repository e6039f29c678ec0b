// The index wraps at 32 bits: threads 0 and 64 have the same word.
__global__ void spread(int* y, unsigned stride) {
  unsigned i = threadIdx.x;
  if (i % 64 == 0) y[i * stride] = i;  // finds C0201
}

int main() {
  int* y;
  cudaMalloc(&y, 1024 * sizeof(int));
  spread<<<1, 128>>>(y, 1u << 26);
  cudaDeviceSynchronize();
  cudaFree(y);
}
