// clean: what one warp has freed another is given; the heap hands memory out in order
__global__ void k(int* out) {
  __shared__ char* buffers[4];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) buffers[warp] = (char*)malloc(128);
  __syncwarp();
  char* mine = buffers[warp];
  mine[lane] = lane;
  __syncwarp();
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[31 - lane];
  __syncwarp();
  if (lane == 0) free(mine);
}
int main() {
  int* out;
  cudaMalloc(&out, 2048);
  k<<<4, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
