// clean: each thread that changes something raises the same flag with the same value
__global__ void halve(int* values, volatile int* changed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] > 3) {
    values[i] /= 2;
    *changed = 1;
  }
}
int main() {
  int *values, *changed;
  cudaMalloc(&values, 512);
  cudaMemset(values, 1, 512);
  cudaMalloc(&changed, 4);
  cudaMemset(changed, 0, 4);
  halve<<<4, 32>>>(values, changed);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(changed);
}
