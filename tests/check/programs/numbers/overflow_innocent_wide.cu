// options: --with=numbers
// clean: 64 bits hold it
__global__ void k(const int* shape, long long* bytes) { bytes[threadIdx.x] = (long long)shape[0] * shape[1] * 4; }
int main() {
  int side[2] = {40000, 40000}, *shape;
  long long* bytes;
  cudaMalloc(&shape, sizeof side);
  cudaMemcpy(shape, side, sizeof side, cudaMemcpyHostToDevice);
  cudaMalloc(&bytes, 256);
  k<<<1, 32>>>(shape, bytes);
  cudaDeviceSynchronize();
  cudaFree(shape);
  cudaFree(bytes);
}
