// clean
__global__ void k() {}
int main() {
  cudaStream_t s;
  cudaEvent_t e;
  cudaStreamCreate(&s);
  cudaEventCreate(&e);
  k<<<1, 1, 0, s>>>();
  cudaEventRecord(e, s);
  cudaEventSynchronize(e);
  cudaEventDestroy(e);
  cudaStreamDestroy(s);
}
