// An index before the array.
struct Table {
  int values[8];
};
__global__ void k(int scale, Table table, int* out) {
  const int i = threadIdx.x % 8;
  out[threadIdx.x] = scale * (table.values[i] - table.values[i - 1]);  // finds C0106
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  Table table = {};
  k<<<1, 32>>>(2, table, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
