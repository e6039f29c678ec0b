// One buffer for the block, in which threads overwrite what their neighbours have not read yet.
__global__ void k(int* out) {
  __shared__ int* buffer;
  if (threadIdx.x == 0) buffer = (int*)malloc(512);
  __syncthreads();
  buffer[threadIdx.x] = threadIdx.x;  // finds C0201
  out[threadIdx.x] = buffer[(threadIdx.x + 1) % 128];  // finds C0201
  __syncthreads();
  if (threadIdx.x == 0) free(buffer);
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
