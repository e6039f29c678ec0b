// clean: to write a bit-field its word is read, and the bits beside it stay what they are
struct Flags {
  unsigned kind : 4, size : 28;
};
__global__ void fill(Flags* flags) { flags[threadIdx.x].kind = threadIdx.x; }
__global__ void use(const Flags* flags, unsigned* x) { x[threadIdx.x] = flags[threadIdx.x].kind; }
int main() {
  Flags* flags;
  unsigned* x;
  cudaMalloc(&flags, 32 * sizeof(Flags));
  cudaMalloc(&x, 128);
  fill<<<1, 32>>>(flags);
  use<<<1, 32>>>(flags, x);
  cudaDeviceSynchronize();
  cudaFree(flags);
  cudaFree(x);
}
