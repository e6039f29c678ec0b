// clean: the reset is the answer to the error
// options: --only=api
__global__ void k() { __trap(); }
int main() {
  k<<<1, 1>>>();
  if (cudaDeviceSynchronize() != cudaSuccess) cudaDeviceReset();
}
