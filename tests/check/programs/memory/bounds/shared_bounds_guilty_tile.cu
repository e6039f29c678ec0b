// The halo of a tile.
__global__ void k(int* out) {
  __shared__ int tile[32];
  int i = threadIdx.x;
  tile[i + 1] = i;  // finds C0104
  __syncthreads();
  out[i] = tile[i];  // finds C0302
}
int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  k<<<1, 32>>>(out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
