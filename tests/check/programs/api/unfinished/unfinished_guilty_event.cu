// The event was recorded before the second kernel.
__global__ void k() {}
int main() {
  cudaEvent_t e;
  cudaEventCreate(&e);
  k<<<1, 1>>>();
  cudaEventRecord(e);
  k<<<1, 1>>>();  // finds C0511
  cudaEventSynchronize(e);
}
