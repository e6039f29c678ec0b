// Each thread writes the block's size.
__global__ void k(int* out) { out[0] = blockDim.x; }  // finds C0209
int main() {
  int* out;
  cudaMalloc(&out, 4);
  k<<<2, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
