// The flags of all elements but the last are set.
struct Flags {
  unsigned kind : 4, size : 28;
};
__global__ void fill(Flags* flags, int n) {
  if (threadIdx.x < n) flags[threadIdx.x].kind = threadIdx.x;
}
__global__ void use(const Flags* flags, unsigned* x) {
  x[threadIdx.x] = flags[threadIdx.x].kind;  // finds C0301
}
int main() {
  Flags* flags;
  unsigned* x;
  cudaMalloc(&flags, 32 * sizeof(Flags));
  cudaMalloc(&x, 128);
  fill<<<1, 32>>>(flags, 31);
  use<<<1, 32>>>(flags, x);
  cudaDeviceSynchronize();
  cudaFree(flags);
  cudaFree(x);
}
