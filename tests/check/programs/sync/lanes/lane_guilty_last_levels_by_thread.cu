// options: --mode=independent
// Each lane stores its sum, and those of lanes 4 to 7 have no value.
// says: what is stored depends on the value
__global__ void k(const float* in, float* out) {
  const int t = threadIdx.x;
  if (t < 8) {
    float sum = in[t];
    sum += __shfl_down_sync(0xff, sum, 4);  // finds C0405
    out[t] = sum;                           // finds C0405
  }
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 32);
  k<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
