// clean: lanes that are off do not read, whatever their address
__global__ void clamp(const int* in, int* out, int n) {
  int i = threadIdx.x;
  out[i] = i * 1000 < n ? in[i * 1000] : -1;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 4 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 4 * sizeof(int));
  clamp<<<1, 32>>>(in, out, 4);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
