// A kernel has failed and the program goes on: what it then tries to free is no leak, what it forgets is one.
__global__ void writes_to_null(int* x, int* nowhere) {
  x[0] = 1;
  nowhere[0] = 1;  // finds C0110
}
int main() {
  int *forgotten, *freed, *pinned;
  cudaMalloc(&forgotten, 1024);  // finds C0501
  cudaMalloc(&freed, 1024);
  cudaMallocHost(&pinned, 1024);
  writes_to_null<<<1, 1>>>(freed, nullptr);
  if (cudaDeviceSynchronize() == cudaSuccess) return 1;
  cudaFree(freed);
  cudaFreeHost(pinned);
}
