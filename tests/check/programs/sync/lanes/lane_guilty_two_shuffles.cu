// also by nvcc
// Lane 8 is not in the mask. Lane 4 takes its value, and lane 0 takes the sum of lane 4 with the second shuffle.
// says: lane 4 takes a value from lane 8, which does not take part
// says: a branch depends on the value
__global__ void k(const int* in, int* out) {
  const int t = threadIdx.x;
  if (t < 8) {
    int sum = in[t];
    sum += __shfl_down_sync(0xff, sum, 4);  // finds C0405
    int other = __shfl_xor_sync(0xff, sum, 4);
    if (t == 0 && other > 3) out[0] = 1;  // finds C0405
  }
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 32);
  k<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
