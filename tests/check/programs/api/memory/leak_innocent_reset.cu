// clean: cudaDeviceReset destroys everything (Runtime API, cudaDeviceReset)
int main() {
  int* p;
  cudaMalloc(&p, 400);
  cudaDeviceReset();
}
