// The input is overwritten while the kernel may still be reading it.
__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // finds C0205
int main() {
  int *in, *out;
  cudaMallocManaged(&in, 128);
  cudaMalloc(&out, 128);
  for (int i = 0; i < 32; ++i) in[i] = i;
  copy<<<1, 32>>>(in, out);
  in[5] = 0;  // finds C0205
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
