// clean: a struct without pointers travels whole
struct Small {
  int a[4];
};
__global__ void k(Small s, int* out) { out[threadIdx.x] = s.a[threadIdx.x]; }
int main() {
  int* out;
  cudaMalloc(&out, 16);
  k<<<1, 4>>>(Small{{1, 2, 3, 4}}, out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
