// clean: the compiler reads a packed member byte by byte
struct __attribute__((packed)) Packed {
  char tag;
  int value;
};
__global__ void k(Packed* p) { p[threadIdx.x].value = threadIdx.x; }
int main() {
  Packed* p;
  cudaMalloc(&p, 32 * sizeof(Packed));
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
