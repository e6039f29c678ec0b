// options: --with=outputs
// One element of many is written.
// clean
__global__ void set_last(int* out, int n) { out[n - 1] = 1; }
int main() {
  int* out;
  cudaMalloc(&out, 4096);
  set_last<<<1, 1>>>(out, 1024);
  cudaDeviceSynchronize();
  cudaFree(out);
}
