// clean: each call of a function writes what it reads of its stack
__device__ int walk(int depth) {
  int path[4] = {};
  path[depth & 3] = depth;
  if (depth == 0) return path[1];
  return walk(depth - 1) + path[depth & 3];
}
__global__ void k(int* x, int depth) { x[blockIdx.x * blockDim.x + threadIdx.x] = walk(depth); }
int main() {
  int* x;
  cudaMalloc(&x, 4 * 256 * sizeof(int));
  k<<<4, 256>>>(x, 5);
  cudaDeviceSynchronize();
  cudaFree(x);
}
