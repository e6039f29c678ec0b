// clean: the program polls until the stream is done
__global__ void k() {}
int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  k<<<1, 1, 0, s>>>();
  while (cudaStreamQuery(s) == cudaErrorNotReady) {
  }
  cudaStreamDestroy(s);
}
