// clean: this launch has a result, and the program looks at it
__global__ void k() {}
int main() {
  cudaError_t e = cudaLaunchKernel((const void*)k, dim3(1), dim3(4096), nullptr, 0, 0);
  return e == cudaSuccess;
}
