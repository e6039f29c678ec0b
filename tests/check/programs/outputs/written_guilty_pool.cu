// options: --with=outputs
// Memory of a pool that is not used, and that lives until the program ends.
__global__ void nothing(int* p, bool write) {
  if (write) *p = 1;
}
int main() {
  int* scratch;
  cudaMallocAsync(&scratch, 4096, 0);  // finds C0305, C0501
  nothing<<<1, 1>>>(scratch, false);
  cudaDeviceSynchronize();
}
