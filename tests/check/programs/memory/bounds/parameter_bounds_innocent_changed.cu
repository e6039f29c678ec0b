// A copy of its own that the kernel writes to, and a pointer into it.
// clean
struct Table {
  int values[8];
};
__device__ int sum(const Table* table, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += table->values[i];
  return s;
}
__global__ void k(Table table, int* out) {
  table.values[threadIdx.x % 8] = threadIdx.x;
  out[threadIdx.x] = sum(&table, 8);
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  Table table = {};
  k<<<1, 32>>>(table, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
