// clean: the kinds say what the pointers are
int numbers[2048];
int main() {
  int* p;
  cudaMalloc(&p, sizeof numbers);
  cudaHostRegister(numbers, sizeof numbers, cudaHostRegisterDefault);
  cudaMemcpyAsync(p, numbers, sizeof numbers, cudaMemcpyHostToDevice, 0);
  cudaMemcpyAsync(numbers, p, sizeof numbers, cudaMemcpyDeviceToHost, 0);
  cudaDeviceSynchronize();
  cudaHostUnregister(numbers);
  cudaFree(p);
}
