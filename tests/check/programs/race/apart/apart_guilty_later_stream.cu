// Threads are apart from each other, and not from a stream that is made later.
__global__ void fill(int* y) { y[blockIdx.x * blockDim.x + threadIdx.x] += 1; }  // finds C0204

int main() {
  int* y;
  cudaMalloc(&y, 256 * sizeof(int));
  cudaMemset(y, 0, 256 * sizeof(int));
  cudaDeviceSynchronize();
  fill<<<2, 128>>>(y);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  fill<<<2, 128, 0, stream>>>(y);
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  cudaFree(y);
}
