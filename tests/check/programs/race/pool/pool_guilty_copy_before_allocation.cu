// The event that the other stream waits for was recorded before the allocation.
int main() {
  static int host[32];
  cudaStream_t a, b;
  cudaEvent_t ready;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreate(&ready);
  int* x;
  cudaEventRecord(ready, a);
  cudaMallocAsync(&x, sizeof host, a);  // finds C0204
  cudaStreamWaitEvent(b, ready, 0);
  cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, b);  // finds C0204
  cudaDeviceSynchronize();
  cudaFreeAsync(x, a);
  cudaStreamSynchronize(a);
  cudaEventDestroy(ready), cudaStreamDestroy(a), cudaStreamDestroy(b);
}
