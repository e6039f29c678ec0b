// Two tables, of which the index of one is found in the other; and members behind an array.
// clean
struct Table {
  int values[8];
  double weight[3];
  char name[5];
};
__global__ void k(Table a, Table b, int* out) {
  const int i = a.values[threadIdx.x % 8];
  out[threadIdx.x] = b.values[i] + int(b.weight[threadIdx.x % 3]) + a.name[threadIdx.x % 5];
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  Table a = {}, b = {};
  for (int i = 0; i < 8; ++i) a.values[i] = 7 - i;
  k<<<1, 32>>>(a, b, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
