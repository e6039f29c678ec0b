// clean: sources stay within segments of eight
__global__ void k(int* out) {
  int v = threadIdx.x;
  for (int d = 4; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d, 8);
  out[threadIdx.x] = v;
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
