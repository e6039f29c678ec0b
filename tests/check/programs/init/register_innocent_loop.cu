// also by nvcc
// clean: what is set in one turn is used in the next; a choice that is never taken
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  int last, sum = 0;
  bool seen = false;
  for (int j = 0; j < n; ++j) {
    if (seen) sum += last;
    last = j;
    seen = true;
  }
  float x;
  float y = (seen && n > 100) ? x : 1;
  out[i] = sum + y;
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(in, out, 8);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
