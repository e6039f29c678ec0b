// clean: many may read
__global__ void k(const int* in, int* out) { out[threadIdx.x] = in[0] + in[threadIdx.x / 32]; }
int main() {
  int *in, *out;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 256);
  k<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
