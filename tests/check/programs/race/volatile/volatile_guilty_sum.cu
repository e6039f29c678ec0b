// A counter that is volatile is still read, changed and written in three steps.
__global__ void count(const int* in, volatile int* sum) {
  *sum += in[blockIdx.x];  // finds C0203
}
int main() {
  int *in, *sum;
  cudaMalloc(&in, 32);
  cudaMemset(in, 1, 32);
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  count<<<8, 1>>>(in, sum);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(sum);
}
