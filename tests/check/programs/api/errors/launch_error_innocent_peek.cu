// clean
__global__ void k() {}
int main() {
  k<<<0, 32>>>();
  return cudaPeekAtLastError() == cudaSuccess;
}
