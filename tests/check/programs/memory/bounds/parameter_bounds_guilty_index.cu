// An index beyond the array of a struct that is passed by value: what follows are other parameters.
struct Table {
  int values[8];
};
__global__ void k(Table table, int first, int* out) {
  out[threadIdx.x] = table.values[threadIdx.x % 4 + first];  // finds C0106
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  Table table = {};
  k<<<1, 32>>>(table, 6, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
