// cudaFree of what cudaMalloc has given waits for the device.
// clean
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  fill<<<1, 32, 0, s>>>(x);
  cudaFree(x);
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
}
