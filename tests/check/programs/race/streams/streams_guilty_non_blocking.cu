// A stream that does not block does not wait for the default stream either.
__global__ void add(int* x) { x[threadIdx.x] += 1; }  // finds C0204
int main() {
  int* x;
  cudaStream_t a;
  cudaMalloc(&x, 128);
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaMemsetAsync(x, 0, 128, 0);  // finds C0204
  add<<<1, 32, 0, a>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
