// One stream frees what a kernel of another one may still be reading.
__global__ void sum(const int* x, int* out) {
  int s = 0;
  for (int i = 0; i < 32; ++i) s += x[i];  // finds C0204
  out[threadIdx.x] = s;
}

int main() {
  cudaStream_t a, b;
  cudaEvent_t filled;
  cudaStreamCreate(&a), cudaStreamCreate(&b);
  cudaEventCreate(&filled);
  int *x, *out;
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMallocAsync(&x, 32 * sizeof(int), a);
  cudaMemsetAsync(x, 0, 32 * sizeof(int), a);
  cudaEventRecord(filled, a);
  cudaStreamWaitEvent(b, filled, 0);
  sum<<<1, 32, 0, b>>>(x, out);
  cudaFreeAsync(x, a);  // finds C0204
  cudaDeviceSynchronize();
  cudaFree(out), cudaEventDestroy(filled), cudaStreamDestroy(a), cudaStreamDestroy(b);
}
