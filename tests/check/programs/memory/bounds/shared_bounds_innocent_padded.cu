// clean: the column that avoids bank conflicts
__global__ void k(int* out) {
  __shared__ int tile[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = x;
  __syncthreads();
  out[y * 32 + x] = tile[x][y];
}
int main() {
  int* out;
  cudaMalloc(&out, 1024 * sizeof(int));
  k<<<1, dim3(32, 32)>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
