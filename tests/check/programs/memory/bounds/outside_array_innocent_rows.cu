// clean: rows of one array, by one index
__device__ int table[4][8];
__global__ void k(int* out) {
  int* flat = &table[0][0];
  for (int i = threadIdx.x; i < 32; i += 8) flat[i] = i;
  out[threadIdx.x] = table[3][threadIdx.x];
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<1, 8>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
