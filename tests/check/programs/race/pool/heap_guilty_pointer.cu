// The warp's buffer is used by lanes that have not waited for its address.
__global__ void k(int* out) {
  __shared__ int* buffers[4];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) buffers[warp] = (int*)malloc(128);  // finds C0202
  int* mine = buffers[warp];                         // finds C0202
  mine[lane] = lane;
  __syncwarp();
  out[threadIdx.x] = mine[31 - lane];
  __syncwarp();
  if (lane == 0) free(mine);
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
