// clean: two barriers of a loop, the same number of rounds for all
__global__ void k(int* out, int rounds) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    __syncthreads();
    int next = s[(threadIdx.x + 1) % 64];
    __syncthreads();
    s[threadIdx.x] = next;
  }
  out[threadIdx.x] = s[threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 64>>>(out, 5);
  cudaDeviceSynchronize();
  cudaFree(out);
}
