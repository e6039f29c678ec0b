// clean: the launch whose kernel would trap is refused, and the program looks
__global__ void k() { __trap(); }
int main() {
  k<<<1, 2048>>>();
  return cudaGetLastError() != cudaErrorInvalidConfiguration && cudaGetLastError() != cudaErrorInvalidValue;
}
