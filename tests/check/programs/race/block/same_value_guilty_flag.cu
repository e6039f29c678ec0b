// Every thread that finds something says so.
__global__ void any(const int* x, int* found) {
  if (x[threadIdx.x + blockIdx.x * blockDim.x] == 0) *found = 1;  // finds C0209
}
int main() {
  int *x, *found;
  cudaMalloc(&x, 512);
  cudaMalloc(&found, 4);
  cudaMemset(x, 0, 512);
  cudaMemset(found, 0, 4);
  any<<<4, 32>>>(x, found);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(found);
}
