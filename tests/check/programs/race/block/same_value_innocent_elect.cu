// clean: a vote, and one lane of each warp writes its own word
__global__ void k(int* out) {
  int any = __any_sync(~0u, threadIdx.x % 40 == 39);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = any;
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 96>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
