// Events behind the allocation and before the free.
// clean
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  cudaStream_t a, b;
  cudaEvent_t ready, done;
  cudaStreamCreate(&a), cudaStreamCreate(&b);
  cudaEventCreate(&ready), cudaEventCreate(&done);
  int* x;
  cudaMallocAsync(&x, 32 * sizeof(int), a);
  cudaEventRecord(ready, a);
  cudaStreamWaitEvent(b, ready, 0);
  fill<<<1, 32, 0, b>>>(x);
  cudaEventRecord(done, b);
  cudaStreamWaitEvent(a, done, 0);
  cudaFreeAsync(x, a);
  cudaStreamSynchronize(a);
  cudaEventDestroy(ready), cudaEventDestroy(done), cudaStreamDestroy(a), cudaStreamDestroy(b);
}
