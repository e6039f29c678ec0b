// clean: freeing nothing, new and delete
__global__ void k(int* out) {
  int* none = nullptr;
  delete none;
  int* p = new int[4];
  if (!p) return;
  p[1] = threadIdx.x;
  out[threadIdx.x] = p[1];
  delete[] p;
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
