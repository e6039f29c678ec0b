// Registered memory is pinned, too.
// says: from device to pinned memory with cudaMemcpyHostToDevice
int numbers[2048];
int main() {
  int* p;
  cudaMalloc(&p, sizeof numbers);
  cudaMemset(p, 0, sizeof numbers);
  cudaHostRegister(numbers, sizeof numbers, cudaHostRegisterDefault);
  numbers[7] = 7;
  cudaError_t e = cudaMemcpyAsync(numbers, p, sizeof numbers, cudaMemcpyHostToDevice, 0);  // finds C0514
  cudaDeviceSynchronize();
  cudaHostUnregister(numbers);
  cudaFree(p);
  return e != cudaSuccess || numbers[7] != 0;
}
