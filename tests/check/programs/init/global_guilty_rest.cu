// The memset counts elements, not bytes.
__global__ void sum(const int* in, int* out) {
  int s = 0;
  for (int i = 0; i < 32; ++i) s += in[i];  // finds C0301
  *out = s;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 4);
  cudaMemset(in, 0, 32);
  sum<<<1, 1>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
