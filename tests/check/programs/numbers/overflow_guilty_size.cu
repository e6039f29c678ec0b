// options: --with=numbers
// The number of bytes of a matrix of 40,000 by 40,000 floats is more than an int holds.
__global__ void k(const int* shape, long long* bytes) {
  bytes[threadIdx.x] = shape[0] * shape[1] * 4;  // finds C0604
}
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
