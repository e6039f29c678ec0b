// clean: the neighbour's word is read behind __syncwarp()
__global__ void k(int* out) {
  __shared__ volatile int s[32];
  int i = threadIdx.x;
  s[i] = i;
  __syncwarp();
  out[i] = s[(i + 1) % 32];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
